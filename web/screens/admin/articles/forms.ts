/** What the articles screen shows only when it is asked for, in one file. */
export { CreateArticle } from './create-article.tsx'
export { EditArticle } from './edit-article.tsx'
