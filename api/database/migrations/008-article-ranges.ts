import type { Database } from '../../deps.ts'
import { isPostgres } from '../engine.ts'
import { runStatements } from '../run-statements.ts'

/** Orders of the list, and the column that each is by. */
const ORDERS = [
  ['id', 'id'],
  ['name', 'name_folded'],
  ['client', 'client_name_folded'],
  ['updatedAt', 'updated_at'],
  ['createdAt', 'created_at'],
] as const
type Order = (typeof ORDERS)[number]

/** A range reaches from its first key, with its first id, to the next one's; each order has one from the beginning. */
const TABLE = [
  `create table article_ranges (
    field text not null,
    first_key text not null,
    first_id text not null,
    articles integer not null,
    primary key (field, first_key, first_id)
  )`,
  ...ORDERS.map(
    ([field]) => `insert into article_ranges select '${field}', '', '', count(*) from articles`,
  ),
]

/** The range that a row of articles lies in. */
const rangeOf = ([field, column]: Order, row: string, selected: string) => `(
      select ${selected} from article_ranges
      where field = '${field}' and (first_key, first_id) <= (${row}.${column}, ${row}.id)
      order by first_key desc, first_id desc limit 1)`
const count = (order: Order, row: string, change: string) =>
  `update article_ranges set articles = articles ${change} where field = '${order[0]}'
      and (first_key, first_id) = ${rangeOf(order, row, 'first_key, first_id')};`
const isAnother = (order: Order) =>
  `${rangeOf(order, 'old', 'first_key || first_id')} <> ${rangeOf(order, 'new', 'first_key || first_id')}`

const AT_SQLITE = [
  `create trigger article_ranged after insert on articles begin
    ${ORDERS.map((order) => count(order, 'new', '+ 1')).join('\n    ')}
  end`,
  `create trigger article_unranged after delete on articles begin
    ${ORDERS.map((order) => count(order, 'old', '- 1')).join('\n    ')}
  end`,
  ...ORDERS.slice(1).map(
    (order) => `create trigger article_ranged_by_${order[1]} after update of ${order[1]} on articles
      when old.${order[1]} <> new.${order[1]} and ${isAnother(order)} begin
        ${count(order, 'old', '- 1')}
        ${count(order, 'new', '+ 1')}
      end`,
  ),
]

/** What is added has no old row, and what is removed no new one: nothing is counted there. */
const AT_POSTGRES = [
  `create function range_article() returns trigger language plpgsql as $$ begin
    ${ORDERS.map(
      (order) => `if old.${order[1]} is distinct from new.${order[1]} then
        ${count(order, 'old', '- 1')}
        ${count(order, 'new', '+ 1')}
      end if;`,
    ).join('\n    ')}
    return null;
  end $$`,
  `create trigger article_ranged after insert or delete
    or update of ${ORDERS.map(([, column]) => column).join(', ')} on articles
    for each row execute function range_article()`,
]

/** How many articles lie in each piece of an order, so that a far page is found without walking to it. */
export async function articleRanges(db: Database): Promise<void> {
  await runStatements(db, [...TABLE, ...(isPostgres(db) ? AT_POSTGRES : AT_SQLITE)])
}
