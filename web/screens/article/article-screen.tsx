import { useParams } from 'react-router-dom'
import { useLoaded, usePageTitle } from '../../app-context.tsx'
import { once } from '../../once.ts'
import { OnDemand } from '../../ui/on-demand.tsx'
import { LostWorkBanner } from '../../unsent/lost-work-banner.tsx'
import classes from './article-screen.module.css'
import { RetrievingBanner } from './banners.tsx'
import { Desk } from './desk.tsx'
import { type ArticlePage, useArticle } from './use-article.ts'

const fetchRefused = once(async () => (await import('./refused-article.tsx')).RefusedArticle)

/** /client/article/{articleId}: write beside the scorecard (spec section 2). */
export function ArticleScreen() {
  const { articleId = '' } = useParams()
  return <Article key={articleId} articleId={articleId} />
}

function Article({ articleId }: { articleId: string }) {
  const page = useArticle(articleId)
  useLoaded(page.kind !== 'loading')
  usePageTitle(page.kind === 'open' ? page.view.name : 'Article')
  return <Shown page={page} />
}

function Shown({ page }: { page: ArticlePage }) {
  switch (page.kind) {
    case 'loading':
      return null
    case 'unreachable':
      return (
        <div className={classes.alone}>
          <h1 className={classes.title}>Article</h1>
          <LostWorkBanner />
          <RetrievingBanner tryAgain={page.tryAgain} />
        </div>
      )
    case 'refused':
      return <OnDemand fetch={fetchRefused} props={page} wanted />
    case 'open':
      return <Desk view={page.view} text={page.text} copy={page.copy} />
  }
}
