import { useQuery } from '@tanstack/react-query'
import type { ArticleCounts } from '../../../../domain/wire/articles.ts'
import { LACKS, type Lack } from '../../../remote/articles.ts'
import { abandonedBy } from '../../../remote/lists.ts'
import { figure } from '../../../ui/words/figure.ts'
import type { ListAddress } from '../list/list-address.ts'
import { useArticles } from '../use-remote.ts'
import classes from './show-only.module.css'

const TOGGLES: Record<Lack, { label: string; count: keyof ArticleCounts }> = {
  completion: { label: 'Not complete', count: 'notComplete' },
  entities: { label: 'Without entities', count: 'withoutEntities' },
  client: { label: 'Without a client', count: 'withoutClient' },
}

type ShowOnlyProps = Pick<ListAddress, 'search' | 'clientIds' | 'lacks'> & {
  show: (changes: { lacks: Lack[] }) => void
}

/**
 * Filters by what articles lack. They combine; each shows how many articles of the current search and clients it
 * matches.
 */
export function ShowOnly({ search, clientIds, lacks, show }: ShowOnlyProps) {
  const articles = useArticles()
  const { data } = useQuery({
    queryKey: ['articles', 'counts', search, clientIds],
    queryFn: ({ signal }) => articles.counts({ name: search, clientIds }, abandonedBy(signal)),
    meta: { failure: 'Error retrieving articles' },
  })
  return (
    <fieldset className={classes.group}>
      <legend className={classes.legend}>Show only</legend>
      <div className={classes.toggles}>
        {LACKS.map((lack) => {
          const { label, count } = TOGGLES[lack]
          const isPressed = lacks.includes(lack)
          return (
            <button
              key={lack}
              type="button"
              className={classes.toggle}
              aria-pressed={isPressed}
              onClick={() =>
                show({
                  lacks: LACKS.filter((one) => (one === lack ? !isPressed : lacks.includes(one))),
                })
              }
            >
              {label}
              {data && <span className={classes.count}>{figure(data[count])}</span>}
            </button>
          )
        })}
      </div>
    </fieldset>
  )
}
