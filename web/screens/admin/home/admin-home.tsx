import { Button, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ChevronRight, Plus } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { Link } from 'react-router-dom'
import { localMidnight } from '../../../../domain/calendar/local-days.ts'
import { momentInSentence } from '../../../../domain/calendar/moments.ts'
import type { Home } from '../../../../domain/wire/home.ts'
import { useClock, useLoaded, useNames, usePageTitle, useSend } from '../../../app/app-context.tsx'
import { notices } from '../../../app/notices.ts'
import { paths } from '../../../app/paths.ts'
import { useDates } from '../../../app/use-dates.ts'
import { useDrawnWaiting } from '../../../layout/frame.tsx'
import { readHome } from '../../../remote/home.ts'
import { SteadyButton } from '../../../ui/buttons/steady-button.tsx'
import { EmptyPlace } from '../../../ui/lists/empty-place.tsx'
import { MoonPhases } from '../../../ui/moon/moon-phases.tsx'
import { OnDemand } from '../../../ui/on-demand.tsx'
import { figure } from '../../../ui/words/figure.ts'
import { ArticleDialogs, useArticleForms } from '../articles/article-dialogs.tsx'
import classes from './admin-home.module.css'
import { FirstSteps } from './first-steps.tsx'
import { Completed, Late } from './home-cards.tsx'
import { useWelcome } from './use-welcome.ts'

/** What needs attention; in an empty agency, the way to the first article. */
export function AdminHomeScreen() {
  usePageTitle('Home')
  const send = useSend()
  const clock = useClock()
  const { data, isError, isFetching, refetch } = useQuery({
    queryKey: ['home'],
    queryFn: () => readHome(send, new Date(localMidnight(clock.now()))),
    meta: { failure: 'Error retrieving the home page' },
  })
  const failed = isError && data === undefined
  const arrived = data !== undefined || failed
  useDrawnWaiting(!arrived)
  useLoaded(arrived)
  useAllSet(data)
  if (failed) {
    return (
      <div className={classes.centred}>
        <EmptyPlace line="Couldn’t load this page." failed>
          <SteadyButton variant="default" loading={isFetching} onClick={() => void refetch()}>
            Try again
          </SteadyButton>
        </EmptyPlace>
      </div>
    )
  }
  if (data === undefined) return <div className={classes.page} aria-busy="true" />
  if (data.firstSteps) return <FirstSteps steps={data.firstSteps} below={<Support home={data} />} />
  return <Attention home={data} />
}

/** Once the last step was done here. */
function useAllSet(home: Home | undefined) {
  const wasBegun = useRef(false)
  useEffect(() => {
    if (home?.firstSteps) wasBegun.current = true
    else if (home && wasBegun.current) {
      wasBegun.current = false
      notices.success('All set', 'The first article is ready for its writer.')
    }
  }, [home])
}

const fetchMailFault = async () => (await import('./mail-fault.tsx')).MailFault

function Attention({ home }: { home: Home }) {
  const forms = useArticleForms()
  const welcome = useWelcome()
  const dates = useDates()
  const clock = useClock()
  const { lastVisit } = home
  const tiles = tilesOf(home)
  if (tiles.length === 0 && home.completed.total === 0 && home.late.total === 0) {
    return (
      <div className={classes.centred}>
        <OnDemand fetch={fetchMailFault} wanted="quietly" props={{}} />
        <MoonPhases size={16} gap={12} />
        <Title order={1} className={classes.title}>
          {welcome}
        </Title>
        <p className={classes.text}>Nothing needs your attention.</p>
        <Support home={home} />
      </div>
    )
  }
  return (
    <div className={classes.page}>
      <OnDemand fetch={fetchMailFault} wanted="quietly" props={{}} />
      <div className={classes.head}>
        <div>
          <Title order={1} className={classes.welcome}>
            {welcome}
          </Title>
          <p className={classes.lead}>
            {lastVisit === null
              ? 'Use the menu to manage articles, clients and users.'
              : `Your last visit was ${momentInSentence(lastVisit, clock.now(), dates)}.`}
          </p>
        </div>
        <Button
          leftSection={<Plus size={16} strokeWidth={1.8} aria-hidden="true" />}
          onClick={() => forms.creating.open('new article')}
        >
          New Article
        </Button>
      </div>
      <div className={classes.cards}>
        {(lastVisit !== null || home.completed.total > 0) && <Completed home={home} />}
        <Late home={home} />
      </div>
      <div className={classes.tiles}>
        {tiles.map((tile) => (
          <Tile key={tile.title} {...tile} />
        ))}
      </div>
      <Support home={home} />
      <ArticleDialogs {...forms} />
    </div>
  )
}

type TileProps = { count: number; title: string; note: string; to: string }

/** One with nothing in it is left out. */
function tilesOf({ withoutEntities, withoutClient, undeliveredTexts, written }: Home): TileProps[] {
  const { people } = written
  const tiles = [
    {
      count: withoutEntities,
      title: 'Without entities',
      note: 'Empty scorecard',
      to: `${paths.adminArticles}?without=entities`,
    },
    {
      count: withoutClient,
      title: 'Without a client',
      note: 'Hidden from writers',
      to: `${paths.adminArticles}?without=client`,
    },
    {
      count: undeliveredTexts.toReview,
      title: undeliveredTexts.toReview === 1 ? 'Recovered text' : 'Recovered texts',
      note: 'To review',
      to: paths.adminUndeliveredTexts,
    },
    {
      count: written.articles,
      title: 'Written today',
      note: people === 1 ? 'By 1 person' : `By ${figure(people)} people`,
      to: `${paths.adminArticles}?sort=updatedAt:desc`,
    },
  ]
  return tiles.filter(({ count }) => count > 0)
}

function Tile({ count, title, note, to }: TileProps) {
  return (
    <Link className={classes.tile} to={to}>
      <span className={classes.figure}>{figure(count)}</span>
      <span className={classes.what}>
        <span className={classes.tileTitle}>{title}</span>
        <span className={classes.who}>{note}</span>
      </span>
      <ChevronRight size={16} strokeWidth={1.6} aria-hidden="true" />
    </Link>
  )
}

/** Where texts were recovered, also the way to them, unless a tile shows it. */
function Support({ home: { undeliveredTexts, firstSteps } }: { home: Home }): ReactNode {
  const { supportEmail } = useNames()
  const { all, toReview } = undeliveredTexts
  return (
    <>
      {all > 0 && (toReview === 0 || firstSteps) && (
        <p className={classes.support}>
          <Link to={paths.adminUndeliveredTexts}>Recovered texts</Link>:{' '}
          {toReview === 0 ? 'all reviewed' : `${figure(toReview)} to review`}.
        </p>
      )}
      {supportEmail !== '' && (
        <p className={classes.support}>
          Something not working as it should? Write to{' '}
          <a href={`mailto:${supportEmail}`}>{supportEmail}</a>.
        </p>
      )}
    </>
  )
}
