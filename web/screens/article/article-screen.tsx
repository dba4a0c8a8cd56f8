import type { ReactNode } from 'react'
import { useParams } from 'react-router-dom'
import { useLoaded, usePageTitle } from '../../app/app-context.tsx'
import { once } from '../../app/once.ts'
import { OnDemand, useOnDemand } from '../../ui/on-demand.tsx'
import classes from './article-screen.module.css'
import { ArticleLayout } from './layout/article-layout.tsx'
import { RetrievingBanner } from './saving/retrieving-banner.tsx'
import { type ArticlePage, useArticle } from './use-article.ts'

const fetchLostWork = once(
  async () => (await import('../../unsent/lost-work-banner.tsx')).LostWorkBanner,
)
const fetchRefused = once(async () => (await import('./saving/refused-article.tsx')).RefusedArticle)

/** /client/article/{articleId}: the editor with the scorecard next to it (spec section 2). */
export function ArticleScreen() {
  const { articleId = '' } = useParams()
  return <Article key={articleId} articleId={articleId} />
}

function Article({ articleId }: { articleId: string }) {
  const page = useArticle(articleId)
  useLoaded(page.kind !== 'loading')
  usePageTitle(page.kind === 'open' ? page.view.name : 'Article')
  const Refused = useOnDemand(fetchRefused, page.kind === 'refused')
  return <Shown page={page} Refused={Refused} />
}

type ShownProps = { page: ArticlePage; Refused: Awaited<ReturnType<typeof fetchRefused>> | null }

function Shown({ page, Refused }: ShownProps) {
  switch (page.kind) {
    case 'loading':
      return null
    case 'unreachable':
      return (
        <Alone title="Article">
          <OnDemand fetch={fetchLostWork} wanted="quietly" props={{}} />
          <RetrievingBanner tryAgain={page.tryAgain} />
        </Alone>
      )
    case 'refused':
      return Refused ? <Refused {...page} /> : <Alone title={page.message} />
    case 'open':
      return <ArticleLayout view={page.view} text={page.text} copy={page.copy} />
  }
}

/** A page without its text. */
function Alone({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={classes.alone}>
      <h1 className={classes.title}>{title}</h1>
      {children}
    </div>
  )
}
