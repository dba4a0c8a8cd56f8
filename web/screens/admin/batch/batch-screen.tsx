import { Title } from '@mantine/core'
import { ArrowLeft } from 'lucide-react'
import { Fragment, type ReactNode, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import type { Dates } from '../../../../domain/calendar/dates.ts'
import type { ArticleListAnswer } from '../../../../domain/wire/article-lists.ts'
import { useLoaded, usePageTitle } from '../../../app/app-context.tsx'
import { paths } from '../../../app/paths.ts'
import { useDates } from '../../../app/use-dates.ts'
import { DiscardQuestion } from '../../../ui/dialogs/discard-question.tsx'
import { useLeaving } from '../../../ui/dialogs/use-leaving.ts'
import classes from './batch-screen.module.css'
import { CheckStep } from './check-step.tsx'
import { ListStep } from './list-step.tsx'
import { ResultStep } from './result-step.tsx'
import { type Checked, useListCheck } from './use-list-check.ts'
import { useLists } from './use-lists.ts'

const STEPS = ['List', 'Check', 'Result'] as const
type Step = (typeof STEPS)[number]

/** /admin/articles/batch: many articles created or changed from one list, after a check. */
export function BatchScreen() {
  usePageTitle('Several at once')
  useLoaded()
  const lists = useLists()
  const check = useListCheck()
  const dates = useDates()
  const [step, setStep] = useState<Step>('List')
  const [result, setResult] = useState<ArticleListAnswer | null>(null)
  const leaving = useLeaving(lists.isFilled && step !== 'Result')
  const title = useRef<HTMLHeadingElement>(null)
  const { checked } = check

  function go(next: Step) {
    setStep(next)
    title.current?.focus()
  }

  async function run() {
    const answer = await check.run()
    if (answer === null) return
    setResult(answer)
    go('Result')
  }

  function startOver() {
    check.forget()
    lists.clear()
    go('List')
  }

  return (
    <div className={classes.page}>
      <Head step={step} title={title} lead={leadOf(step, checked, dates)} />
      {step === 'List' && (
        <ListStep
          lists={lists}
          isChecking={check.busy === 'checking'}
          check={async (name, articles) => {
            if (await check.check(name, articles)) go('Check')
          }}
          onCancel={() => leaving.leave(paths.adminArticles)}
        />
      )}
      {step === 'Check' && checked && (
        <CheckStep
          check={check}
          checked={checked}
          onBack={() => go('List')}
          onRun={() => void run()}
        />
      )}
      {step === 'Result' && checked && result && (
        <ResultStep checked={checked} result={result} onAnother={startOver} />
      )}
      <DiscardQuestion opened={leaving.asked} onStay={leaving.stay} onDiscard={leaving.discard} />
    </div>
  )
}

function leadOf(step: Step, checked: Checked | null, dates: Dates): string | null {
  if (step === 'List') {
    return 'Create or change many articles from one list. You will see exactly what would happen before anything is saved.'
  }
  if (step === 'Result' || checked === null) return null
  const { name, at } = checked
  return at === null
    ? `${name}. Nothing is saved yet.`
    : `${name}, checked against the agency’s articles at ${dates.time(at)}. Nothing is saved yet.`
}

type HeadProps = {
  step: Step
  title: React.RefObject<HTMLHeadingElement | null>
  lead: ReactNode
}

function Head({ step, title, lead }: HeadProps) {
  return (
    <div className={classes.head}>
      <div className={classes.words}>
        <Link to={paths.adminArticles} className={classes.back}>
          <ArrowLeft size={14} strokeWidth={1.7} aria-hidden="true" />
          Articles
        </Link>
        <Title order={1} ref={title} tabIndex={-1} className={classes.title}>
          Several at once
        </Title>
        {lead !== null && <p className={classes.lead}>{lead}</p>}
      </div>
      <ol className={classes.steps}>
        {STEPS.map((name, at) => (
          <Fragment key={name}>
            {at > 0 && <li className={classes.line} aria-hidden="true" />}
            <li aria-current={name === step ? 'step' : undefined}>{name}</li>
          </Fragment>
        ))}
      </ol>
    </div>
  )
}
