import { parentPort } from 'node:worker_threads'
import bcrypt from 'bcryptjs'

/** One hash, or one comparison when there is a `hash` to compare with. */
export type HashJob = { text: string } & ({ cost: number } | { hash: string })

/** Runs in a thread of its own, so that the quarter of a second of a hash blocks no other request. */
parentPort?.on('message', (job: HashJob) => {
  const outcome =
    'hash' in job ? bcrypt.compareSync(job.text, job.hash) : bcrypt.hashSync(job.text, job.cost)
  parentPort?.postMessage(outcome)
})
