import { fileURLToPath } from 'node:url'
import express from 'express'
import { bundle } from './rig.mjs'

/** An ordinary autosave: a text area that is saved by fetch a second after a key, and Workbox for failed saves. */

const worker = await bundle('./pages/kills-worker.js')
let text = ''

const app = express()
app.use(express.text({ limit: '10mb' }))
app.get('/', (_, answer) =>
  answer.sendFile(fileURLToPath(new URL('./pages/kills.html', import.meta.url))),
)
app.get('/worker.js', (_, answer) => answer.type('js').send(worker))
app.get('/text', (_, answer) => answer.type('txt').send(text))
app.patch('/text', (request, answer) => {
  text = request.body
  answer.sendStatus(204)
})
const server = app.listen(Number(process.env.PORT), () =>
  process.stdout.write(`Autosave is ready at http://localhost:${server.address().port}\n`),
)
