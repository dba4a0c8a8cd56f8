import { foldName } from '../names/folded-name.ts'
import type { CsvRows } from './csv.ts'

/** The columns of a list of articles, and the labels by which they are found. */

export type ListField =
  | 'article'
  | 'client'
  | 'minimum'
  | 'due'
  | 'template'
  | 'brief'
  | 'outline'
  | 'keyword'
  | 'source'
  | 'score'

/** In the order in which they are shown. */
export const LIST_FIELDS: readonly { key: ListField; label: string; required: boolean }[] = [
  { key: 'article', label: 'Article', required: true },
  { key: 'client', label: 'Client', required: false },
  { key: 'minimum', label: 'Minimum', required: false },
  { key: 'due', label: 'Due', required: false },
  { key: 'template', label: 'Template', required: false },
  { key: 'brief', label: 'Brief', required: false },
  { key: 'outline', label: 'Outline', required: false },
  { key: 'keyword', label: 'Keyword', required: false },
  { key: 'source', label: 'Source', required: false },
  { key: 'score', label: 'Score', required: false },
]

/** Index of the column of each field; a field without one has none. */
export type ListColumns = Partial<Record<ListField, number>>

/**
 * Labels in English, German, French and Spanish, with those of the usual keyword tools. Of several columns the one whose
 * label comes first here is taken. 'Note' is no score: French spreadsheets mostly mean a remark.
 */
const LABELS: Readonly<Record<ListField, string>> = {
  article: `article, article title, article name, title, page title, post title, working title, headline, name, h1,
    page, post, blog post, topic, parent keyword, parent topic, ad group, artikel, artikeltitel, artikelname, titel, überschrift,
    beitrag, seite, thema, titre, titre de l'article, nom de l'article, nom, sujet, artículo, título,
    título del artículo, nombre del artículo, titular, nombre, página, tema`,
  client: `client, client name, customer, customer name, account, account name, company, brand, kunde, kundenname,
    auftraggeber, mandant, firma, unternehmen, marke, nom du client, compte, entreprise, société, marque, cliente,
    nombre del cliente, cuenta, empresa, marca`,
  minimum: `minimum, minimum words, minimum word count, min words, min word count, min, word minimum, words, word count,
    wordcount, number of words, target words, target word count, length, mindestwörter, mindestwortzahl,
    mindestanzahl wörter, wörter, wortzahl, wortanzahl, anzahl wörter, umfang, länge, minimum de mots, mots minimum,
    mots, nombre de mots, longueur, mínimo, mínimo de palabras, palabras mínimas, palabras, número de palabras,
    extensión, longitud`,
  due: `due, due date, due on, due by, deadline, date due, delivery date, delivery, fällig, fällig am, fälligkeit,
    fälligkeitsdatum, abgabe, abgabetermin, abgabedatum, liefertermin, lieferdatum, termin, frist, échéance,
    date d'échéance, date limite, date de livraison, date de remise, livraison, à rendre le, fecha límite,
    fecha de entrega, fecha de vencimiento, entrega, vencimiento, plazo, date, datum, fecha`,
  template: 'template, start from, vorlage, modèle, plantilla',
  brief: `brief, briefing, instructions, notes, note, writer notes, comments, remarks, description, details, hinweise,
    anweisungen, anmerkungen, bemerkungen, notizen, notiz, beschreibung, kommentar, consignes, remarques,
    commentaires, commentaire, descriptif, instrucciones, indicaciones, notas, nota, comentarios, observaciones,
    descripción`,
  outline: `outline, headings, subheadings, structure, sections, h2, h2s, gliederung, überschriften,
    zwischenüberschriften, struktur, aufbau, plan, titres, sous titres, intertitres, sections, esquema, encabezados,
    subtítulos, estructura, secciones, índice`,
  keyword: `keyword, keywords, entity, entities, query, queries, top queries, search query, search queries, search term,
    search terms, term, terms, phrase, focus keyword, schlüsselwort, schlüsselwörter, suchbegriff, suchbegriffe,
    stichwort, stichwörter, begriff, begriffe, suchanfrage, suchanfragen, häufigste suchanfragen, entität, entitäten,
    mot clé, mots clés, requête, requêtes, requêtes les plus fréquentes, terme, termes, expression, entité, entités,
    palabra clave, palabras clave, consulta, consultas, consultas principales, término, términos, entidad, entidades`,
  source: 'source, type, quelle, herkunft, typ, origine, fuente, origen, tipo',
  score: `score, importance, relevance, salience, punkte, punktzahl, bewertung, wichtigkeit, relevanz, pertinence,
    puntuación, puntaje, importancia, relevancia`,
}

/** Letters and digits of a label; what is in brackets explains it. */
const plainLabel = (label: string): string =>
  foldName(label)
    .replace(/\([^)]*\)|\[[^\]]*\]/gu, ' ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** Field and rank of each label. The first field that has it keeps it. */
const KNOWN = new Map<string, { field: ListField; rank: number }>()
for (const { key: field } of LIST_FIELDS) {
  for (const [rank, label] of LABELS[field].split(',').entries()) {
    const plain = plainLabel(label)
    if (!KNOWN.has(plain)) KNOWN.set(plain, { field, rank })
  }
}

const LABEL_LENGTH_MAX = 60

/** The columns whose label is known. A column has one field at most. */
export function namedListColumns(labels: readonly string[]): ListColumns {
  const columns: ListColumns = {}
  const ranks: Partial<Record<ListField, number>> = {}
  for (const [column, label] of labels.entries()) {
    const known = label.length > LABEL_LENGTH_MAX ? undefined : KNOWN.get(plainLabel(label))
    if (known === undefined || known.rank >= (ranks[known.field] ?? Number.POSITIVE_INFINITY))
      continue
    columns[known.field] = column
    ranks[known.field] = known.rank
  }
  return columns
}

/** Whether a row names columns: an article or a keyword, or at least two of the others. */
export function isListHeader(row: readonly string[]): boolean {
  const columns = namedListColumns(row)
  const isMain = columns.article !== undefined || columns.keyword !== undefined
  return row.length > 1 ? isMain || Object.keys(columns).length > 1 : columns.article !== undefined
}

/** Number of rows at the top of a list that are searched for the labels, and that can be chosen. */
export const LIST_HEADER_ROWS_MAX = 10

/** Index of the row that names most fields, the first of several; null when none does. */
export function findListHeader(rows: CsvRows): number | null {
  let [found, most]: [number | null, number] = [null, 0]
  for (const [at, row] of rows.slice(0, LIST_HEADER_ROWS_MAX).entries()) {
    const named = isListHeader(row) ? Object.keys(namedListColumns(row)).length : 0
    if (named > most) [found, most] = [at, named]
  }
  return found
}
