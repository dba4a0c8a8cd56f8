import { Title } from '@mantine/core'
import { CloudOff, ExternalLink, HardDrive, type LucideIcon } from 'lucide-react'
import { useId, useState } from 'react'
import { minimumVerdict, moonPhase } from '../../../domain/article-text.ts'
import type { HomeArticle } from '../../../sync/views.ts'
import { articlePath } from '../../paths.ts'
import { EmptyPlace } from '../../ui/empty-place.tsx'
import { LastModified } from '../../ui/last-modified.tsx'
import { Moon } from '../../ui/moon.tsx'
import { Pager } from '../../ui/pager.tsx'
import classes from './article-card.module.css'
import { homePage } from './home-list.ts'

type ArticleCardProps = {
  title: string
  empty: string
  articles: HomeArticle[]
  held: ReadonlySet<string>
  offline: boolean
  /** Trimmed; empty when nothing is searched for. */
  search: string
  onClearSearch: () => void
}

export function ArticleCard({ title, empty, articles, ...props }: ArticleCardProps) {
  const [wantedPage, setWantedPage] = useState(1)
  const heading = useId()
  const shown = homePage(articles, wantedPage)
  return (
    <section className={classes.card} aria-labelledby={heading}>
      <div className={classes.head}>
        <Title order={2} id={heading}>
          {title}
        </Title>
        <span className={classes.count}>{shown.total}</span>
      </div>
      {shown.total === 0 ? (
        <EmptyPlace line={empty} className={classes.empty}>
          {props.search !== '' && (
            <div className={classes.noMatch}>
              No name here contains “{props.search}”.{' '}
              <button type="button" className={classes.clear} onClick={props.onClearSearch}>
                Clear the search
              </button>
            </div>
          )}
        </EmptyPlace>
      ) : (
        <>
          <ul className={classes.list}>
            {shown.articles.map((article) => (
              <Item
                key={article.id}
                article={article}
                held={props.held.has(article.id)}
                offline={props.offline}
              />
            ))}
          </ul>
          <div className={classes.foot}>
            <span>
              {shown.first}–{shown.last} of {shown.total}
            </span>
            <Pager label={title} page={shown.page} pages={shown.pages} onChange={setWantedPage} />
          </div>
        </>
      )}
    </section>
  )
}

type ItemProps = { article: HomeArticle; held: boolean; offline: boolean }

function Item({ article, held, offline }: ItemProps) {
  const { id, name, words, wordMinimum, completed, updatedAt } = article
  const warns = minimumVerdict(words, wordMinimum) === 'warning'
  return (
    <li>
      <a className={classes.item} href={articlePath(id)} target="_blank" rel="noopener">
        <Moon
          size={20}
          k={completed ? 1 : moonPhase(words, wordMinimum)}
          tone={warns && !completed ? 'warn' : 'full'}
          checked={completed}
        />
        <span className={classes.words}>
          <span className={classes.name} dir="auto">
            {name}
          </span>
          <span className={classes.facts}>
            <LastModified at={updatedAt} />
            {held && <Sign icon={HardDrive}>Kept on this computer</Sign>}
            {!held && article.waiting && offline && (
              <Sign icon={CloudOff}>Waiting for the connection</Sign>
            )}
            {offline && !article.hasText && <span>Not on this computer yet</span>}
          </span>
        </span>
        <ExternalLink size={16} strokeWidth={1.5} className={classes.newTab} aria-hidden="true" />
        <span className="visually-hidden">(opens in a new tab)</span>
      </a>
    </li>
  )
}

function Sign({ icon: Icon, children }: { icon: LucideIcon; children: string }) {
  return (
    <span className={classes.sign}>
      <Icon size={14} strokeWidth={1.7} aria-hidden="true" />
      {children}
    </span>
  )
}
