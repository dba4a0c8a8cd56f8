import { buildServerIfStale } from './prepare.mjs'

/** Before tests: builds the server whose processes they start, when its code changed. */
export default function setup(project) {
  buildServerIfStale()
  project.onTestsRerun(buildServerIfStale)
}
