import { readArticleView } from '../status/article-view.ts'
import type { Tab } from './browser.ts'

/** The steps of the article page: start, fetch the article, show the local copy as soon as there is one. */
export async function showText(tab: Tab): Promise<void> {
  await tab.client.start()
  await attach(tab)
  await tab.client.load(tab.articleId)
  await attach(tab)
}

export async function attach(tab: Tab): Promise<void> {
  if (tab.text || tab.page.isGone()) return
  const text = await tab.client.open(tab.articleId)
  if (!text || tab.text) return
  tab.editor.compose(false)
  tab.editor.show(text.document)
  text.attach(tab.editor)
  tab.text = text
}

/** The page closes a text whose local copy was lost, and reopens it when there is one. */
export async function followCopy(tab: Tab): Promise<void> {
  const hasText = (await readArticleView(tab.database, tab.articleId))?.hasText === true
  if (hasText) return attach(tab)
  const { text } = tab
  tab.text = null
  await text?.close()
}
