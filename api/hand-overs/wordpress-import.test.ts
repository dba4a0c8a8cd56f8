import { execFile, execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { doc, paragraph, text } from '../../domain/testing/nodes.ts'
import { startServer } from '../testing/black-box/started-server.ts'

/** The script in docs/hand-overs.md, with a WP-CLI that keeps posts as files. */

const page = readFileSync(join(import.meta.dirname, '../../docs/hand-overs.md'), 'utf8')
const SCRIPT = /^```bash\n([\s\S]+?)^```/m.exec(page)?.[1] ?? ''

const WP = `#!/usr/bin/env bash
set -euo pipefail
case "$2" in
  list) for option; do case "$option" in --meta_value=*) cat "$POSTS/\${option#*=}.id" 2>/dev/null || true ;; esac; done ;;
  *)
    content=$(cat)
    for option; do
      case "$option" in
        --post_title=*) title=\${option#*=} ;;
        --meta_input=*) article=$(jq -r .contun_article <<<"\${option#*=}") hand_in=$(jq .contun_hand_in <<<"\${option#*=}") ;;
      esac
    done
    echo "$article" >"$POSTS/$article.id"
    printf '%s %s %s: %s\\n' "$2" "$hand_in" "$title" "$content" >>"$POSTS/$article.log"
    ;;
esac
`

const hasTools = () => {
  try {
    for (const tool of ['bash', 'curl', 'jq']) execFileSync(tool, ['--version'])
    return true
  } catch {
    return false
  }
}

it.skipIf(!hasTools())(
  'the WordPress script imports each hand-in once, and those that come later',
  async () => {
    const server = await startServer()
    const folder = mkdtempSync(join(tmpdir(), 'contun-wordpress-'))
    onTestFinished(async () => {
      rmSync(folder, { recursive: true })
      await server.stop()
    })
    const file = (name: string, content: string) => {
      writeFileSync(join(folder, name), content)
      return join(folder, name)
    }
    const admin = await server.user({ role: 'admin' })
    const writer = await server.user()
    const client = await server.client({ users: [writer] })
    const body = { name: 'Website', clientIds: [client.id], days: 1 }
    const { token } = await (await server.as(admin).post('/v1/program-tokens', body)).json()
    const script = file('import.sh', SCRIPT)
    chmodSync(file('wp', WP), 0o700)
    const run = () =>
      promisify(execFile)('bash', [script], {
        env: {
          PATH: `${folder}:${process.env.PATH}`,
          POSTS: folder,
          ARTICLES_URL: server.url,
          TOKEN_FILE: file('token', `${token}\n`),
          STATE_FILE: join(folder, 'state'),
        },
      })
    const change = async (id: string, changes: object, person = writer) => {
      expect((await server.as(person).patch(`/v1/articles/${id}`, changes)).status).toBe(200)
    }
    const complete = (id: string, words: string) =>
      change(id, { articleText: doc(paragraph(text(words))), completed: true })
    const imported = () =>
      readdirSync(folder)
        .filter((name) => name.endsWith('.log'))
        .sort()
        .flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'))

    const ids: string[] = []
    for (let at = 1; at <= 11; at += 1) {
      const { id } = await server.article({ client, name: `Article ${at}, “$HOME” & \`it\`` })
      ids.push(id)
      await complete(id, `Text ${at} [gallery] $(touch x).`)
    }
    const [first = '', second = ''] = ids
    await change(second, { completed: false }, admin)
    await run()
    const texts = imported()
    expect(texts).toHaveLength(10)
    expect(texts[0]).toBe(
      'create 1 Article 1, “$HOME” & `it`: <p>Text 1 &#91;gallery] $(touch x).</p>',
    )
    await run()
    expect(imported()).toEqual(texts)

    await change(first, { completed: false }, admin)
    await complete(first, 'Better.')
    await complete(second, 'At last.')
    await run()
    expect(imported().slice(0, 3)).toEqual([
      texts[0],
      'update 2 Article 1, “$HOME” & `it`: <p>Better.</p>',
      'create 2 Article 2, “$HOME” & `it`: <p>At last.</p>',
    ])
    expect(imported()).toHaveLength(12)
  },
  120_000,
)
