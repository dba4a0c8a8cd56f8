import PouchDB from 'pouchdb/dist/pouchdb.js'

/** PouchDB as its documentation has it: a database in the browser that replicates to one on a server. */

const local = new PouchDB('articles')
const remote = new PouchDB(`${location.origin}/db/articles`)

export async function fill(articles) {
  await local.bulkDocs(articles.map(({ id, document }) => ({ _id: id, document })))
  await local.replicate.to(remote)
}

export async function edit(words) {
  const { rows } = await local.allDocs({ include_docs: true })
  for (const { doc } of rows) await local.put({ ...doc, document: edited(doc.document, words) })
}

export const drain = () => local.replicate.to(remote)

function edited(document, words) {
  const added = { type: 'paragraph', content: [{ type: 'text', text: words }] }
  return { ...document, content: [...document.content.slice(0, -1), added] }
}
