export type Metrics = ReturnType<typeof createMetrics>

/** Null is left out: there is no measurement yet. */
export type Gauge = readonly [name: string, help: string, value: number | null]

/** Upper bounds of the buckets, in seconds. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/** A client may send any method name. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'])

type Series = { labels: string; buckets: number[]; count: number; sum: number }

const PREFIX = 'contun_'
const BUILD = `${PREFIX}build_info`
const DURATION = `${PREFIX}http_request_duration_seconds`

/** Counters and gauges in the Prometheus format. Labels are route patterns, never input of a client. */
export function createMetrics() {
  const series = new Map<string, Series>()

  function find(labels: string): Series {
    const known = series.get(labels)
    if (known) return known
    const fresh = { labels, buckets: BUCKETS.map(() => 0), count: 0, sum: 0 }
    series.set(labels, fresh)
    return fresh
  }

  return {
    request(route: string, method: string, status: number, seconds: number) {
      const known = METHODS.has(method) ? method : 'other'
      const one = find(`method="${known}",route="${escaped(route)}",status="${status}"`)
      one.count += 1
      one.sum += seconds
      BUCKETS.forEach((end, at) => {
        if (seconds <= end) one.buckets[at] = (one.buckets[at] ?? 0) + 1
      })
    },
    /** All metrics as text; `gauges` are measured at this moment. */
    text(gauges: readonly Gauge[], version: string) {
      const lines = [
        `# HELP ${BUILD} The release that runs.`,
        `# TYPE ${BUILD} gauge`,
        `${BUILD}{version="${escaped(version)}"} 1`,
        `# HELP ${DURATION} Requests by route, and how long they took.`,
        `# TYPE ${DURATION} histogram`,
        ...[...series.values()].flatMap(seriesLines),
        ...gauges.flatMap(gaugeLines),
      ]
      return `${lines.join('\n')}\n`
    },
  }
}

const seriesLines = ({ labels, buckets, count, sum }: Series): string[] => [
  ...buckets.map((value, at) => `${DURATION}_bucket{${labels},le="${BUCKETS[at]}"} ${value}`),
  `${DURATION}_bucket{${labels},le="+Inf"} ${count}`,
  `${DURATION}_sum{${labels}} ${sum}`,
  `${DURATION}_count{${labels}} ${count}`,
]

const gaugeLines = ([name, help, value]: Gauge): string[] =>
  value === null
    ? []
    : [
        `# HELP ${PREFIX}${name} ${help}`,
        `# TYPE ${PREFIX}${name} gauge`,
        `${PREFIX}${name} ${value}`,
      ]

const escaped = (text: string) => text.replace(/[\\"\n]/g, '_')
