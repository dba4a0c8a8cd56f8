import 'reflect-metadata'
import { join } from 'node:path'
import express from 'express'
import helmet from 'helmet'
import Joi from 'joi'
import jwt from 'jsonwebtoken'
import passport from 'passport'
import { ExtractJwt, Strategy } from 'passport-jwt'
import { DataSource, EntitySchema } from 'typeorm'
import { ARTICLES, CLIENTS, documentOf, idOf, keywordsOf, nameOf } from './api-data.mjs'

/** The same three calls as they are usually built: entities, a strategy for tokens, schemas for bodies. */

const SECRET = 'a secret of the benchmark'
const text = { type: 'text' }
const id = { type: 'text', primary: true }
const User = new EntitySchema({ name: 'User', columns: { id, email: text, role: text } })
const Client = new EntitySchema({
  name: 'Client',
  columns: { id, name: text },
  relations: { users: { type: 'many-to-many', target: 'User', joinTable: true } },
})
const Article = new EntitySchema({
  name: 'Article',
  columns: {
    id,
    name: text,
    wordMinimum: { type: 'integer' },
    completed: { type: 'boolean', default: false },
    articleText: { type: 'simple-json' },
    keywordList: { type: 'simple-json' },
    createdAt: { type: 'datetime', createDate: true },
    updatedAt: { type: 'datetime', updateDate: true },
  },
  relations: { client: { type: 'many-to-one', target: 'Client' } },
})

const source = new DataSource({
  type: 'better-sqlite3',
  database: join(process.env.DATA_DIR, 'typical.sqlite'),
  entities: [User, Client, Article],
  synchronize: true,
  enableWAL: true,
  prepareDatabase: (db) => db.pragma('synchronous = FULL'),
})
await source.initialize()
const [users, clients, articles] = [User, Client, Article].map((it) => source.getRepository(it))
const writer = await users.save({ id: idOf(1, 1), email: 'imogen@contun.example', role: 'user' })
await users.save({ id: idOf(1, 2), email: 'bench@contun.example', role: 'admin' })
const seeds = (count) => Array.from({ length: count }, (_, seed) => seed)
await clients.save(
  seeds(CLIENTS).map((seed) => ({ id: idOf(2, seed), name: `Client ${seed}`, users: [writer] })),
)
await articles.save(
  seeds(ARTICLES).map((seed) => ({
    id: idOf(3, seed),
    name: nameOf(seed),
    wordMinimum: 500,
    articleText: documentOf(seed),
    keywordList: keywordsOf(seed),
    client: { id: idOf(2, seed % CLIENTS) },
  })),
  { chunk: 200 },
)

const jwtFromRequest = ExtractJwt.fromAuthHeaderAsBearerToken()
passport.use(
  new Strategy({ secretOrKey: SECRET, jwtFromRequest }, ({ sub }, done) => {
    users.findOneBy({ id: sub }).then((user) => done(null, user ?? false), done)
  }),
)

const app = express()
app.use(helmet())
app.use(express.json({ limit: '2mb' }))
app.use(passport.initialize())
const user = passport.authenticate('jwt', { session: false })
const admin = (request, answer, next) =>
  request.user.role === 'admin' ? next() : answer.status(403).json({ code: 403 })
const checked = (schema, part) => (request, answer, next) => {
  const { error } = schema.validate(request[part])
  return error ? answer.status(400).json({ code: 400, message: error.message }) : next()
}
const pageQuery = Joi.object({
  page: Joi.number().integer().min(1),
  limit: Joi.number().integer().min(1).max(1000),
})
const node = Joi.object({
  type: Joi.string().required(),
  text: Joi.string(),
  attrs: Joi.object(),
  marks: Joi.array().items(Joi.object({ type: Joi.string().valid('bold', 'italic', 'strike') })),
  content: Joi.array().items(Joi.link('#node')),
}).id('node')
const patchBody = Joi.object({ articleText: node, completed: Joi.boolean() }).min(1)

app.post('/v1/auth/login', async (request, answer) => {
  const { id: sub } = await users.findOneByOrFail({ email: request.body.email })
  answer.json({ tokens: { access: { token: jwt.sign({ sub }, SECRET, { expiresIn: '30m' }) } } })
})
app.get('/v1/articles', user, admin, checked(pageQuery, 'query'), async (request, answer) => {
  const [page, limit] = [Number(request.query.page ?? 1), Number(request.query.limit ?? 10)]
  const [results, totalResults] = await articles.findAndCount({
    relations: { client: true },
    order: { id: 'ASC' },
    take: limit,
    skip: (page - 1) * limit,
  })
  answer.json({ results, page, limit, totalPages: Math.ceil(totalResults / limit), totalResults })
})
const find = (request) =>
  articles.findOne({
    where: { id: request.params.id, client: { users: { id: request.user.id } } },
    relations: { client: { users: true } },
  })
app.get('/v1/articles/:id', user, async (request, answer) => {
  const article = await find(request)
  return article ? answer.json(article) : answer.status(404).json({ code: 404 })
})
app.patch('/v1/articles/:id', user, checked(patchBody, 'body'), async (request, answer) => {
  const article = await find(request)
  if (!article) return answer.status(404).json({ code: 404 })
  answer.json(await articles.save(Object.assign(article, request.body)))
})

process.on('message', () => process.send(process.cpuUsage()))
const server = app.listen(0, '127.0.0.1', () =>
  console.log(`ready at http://127.0.0.1:${server.address().port}`),
)
