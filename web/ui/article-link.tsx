import { articlePath } from '../app/paths.ts'
import classes from './article-link.module.css'

type ArticleLinkProps = { id: string; name: string }

/** The name of an article in a table, as a link that opens it in a new tab. One line; the whole name as title. */
export const ArticleLink = ({ id, name }: ArticleLinkProps) => (
  <a className={classes.link} href={articlePath(id)} target="_blank" rel="noopener" title={name}>
    {name}
    <span className="visually-hidden"> (opens in a new tab)</span>
  </a>
)
