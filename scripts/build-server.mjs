import { buildServerIfStale } from './prepare.mjs'

/** Before tests: the server whose processes they start, built anew when its code changed. */
export default function setup(project) {
  buildServerIfStale()
  project.onTestsRerun(buildServerIfStale)
}
