import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { Clock } from '../../sync/ports.ts'
import { gzip, type Pack, packLongElsewhere } from './pack.ts'
import { type PackAnswer, type PackQuestion, packBeside } from './pack-beside.ts'

/** Long bodies are packed in a worker, and on the calling thread until the worker is ready and after it failed. */

const LONG = 'ö'.repeat(100_000)
const LONGER = `${LONG}!`
const unpacked = (packed: ArrayBuffer) => gunzipSync(new Uint8Array(packed)).toString('utf8')

function createThread() {
  const questions: PackQuestion[] = []
  const due: (() => void)[] = []
  let opened = 0
  let isOver = false
  const worker = {
    onmessage: null,
    onerror: null,
    postMessage: (question: PackQuestion) => questions.push(question),
    terminate: () => {
      isOver = true
    },
  } as unknown as Worker
  const tell = (data: PackAnswer) => worker.onmessage?.({ data } as MessageEvent)
  const clock: Clock = {
    now: () => 0,
    after(_, task) {
      due.push(task)
      return () => {}
    },
  }
  const open = () => {
    opened += 1
    return worker
  }
  return {
    pack: packBeside(open, clock),
    clock,
    questions,
    seen: () => ({ opened, isOver, asked: questions.length }),
    ready: () => tell('ready'),
    async answer(at: number) {
      const [{ id, text }] = questions.splice(at, 1) as [PackQuestion]
      tell({ id, packed: await gzip(text) })
    },
    fail: () => worker.onerror?.({} as ErrorEvent),
    passTime: () => due.splice(0).map((task) => task()),
  }
}

function withThread() {
  const thread = createThread()
  thread.ready()
  return thread
}

test('no request waits for the thread to open', async () => {
  const { pack, seen } = createThread()
  expect(unpacked(await pack(LONG))).toBe(LONG)
  expect(unpacked(await pack(LONGER))).toBe(LONGER)
  expect(seen()).toEqual({ opened: 1, isOver: false, asked: 0 })
})

test('one thread packs all long bodies, and each gets its own', async () => {
  const { pack, seen, answer, passTime } = withThread()
  const [first, second] = [pack(LONG), pack(LONGER)]
  expect(seen()).toEqual({ opened: 1, isOver: false, asked: 2 })
  await answer(1)
  await answer(0)
  passTime()
  expect([unpacked(await first), unpacked(await second)]).toEqual([LONG, LONGER])
  expect(seen().isOver).toBe(false)
})

test.each(['fail', 'passTime'] as const)(
  'the work of a thread that fails or is silent is done on the main thread, and so is later work (%s)',
  async (happens) => {
    const thread = withThread()
    const [first, second] = [thread.pack(LONG), thread.pack(LONGER)]
    thread[happens]()
    expect([unpacked(await first), unpacked(await second)]).toEqual([LONG, LONGER])
    expect(unpacked(await thread.pack(LONG))).toBe(LONG)
    expect(thread.seen()).toEqual({ opened: 1, isOver: true, asked: 2 })
  },
)

test('where no thread can be opened, this one packs', async () => {
  const { clock } = createThread()
  const pack = packBeside(() => {
    throw new Error('Not allowed')
  }, clock)
  expect(unpacked(await pack(LONG))).toBe(LONG)
})

test('the compression worker is loaded for the first long body, which does not wait for it', async () => {
  const elsewhere: string[] = []
  let arrive: (other: Pack) => void = () => {}
  let fetched = 0
  const pack = packLongElsewhere(() => {
    fetched += 1
    return new Promise((resolve) => {
      arrive = resolve
    })
  })
  expect(unpacked(await pack('short'))).toBe('short')
  expect(fetched).toBe(0)
  expect(unpacked(await pack(LONG))).toBe(LONG)
  arrive((text) => {
    elsewhere.push(text)
    return gzip(text)
  })
  await Promise.resolve()
  expect(unpacked(await pack(LONGER))).toBe(LONGER)
  expect(unpacked(await pack('short'))).toBe('short')
  expect({ fetched, elsewhere }).toEqual({ fetched: 1, elsewhere: [LONGER] })
})

test('a body is sent too when it does not load', async () => {
  const pack = packLongElsewhere(() => Promise.reject(new Error('No answer')))
  expect(unpacked(await pack(LONG))).toBe(LONG)
  expect(unpacked(await pack(LONGER))).toBe(LONGER)
})
