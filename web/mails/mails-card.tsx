import '@mantine/core/styles/Radio.css'
import { Radio, Title } from '@mantine/core'
import { Check } from 'lucide-react'
import type { MailChoice } from '../../domain/wire/mails.ts'
import type { User } from '../../domain/wire/users.ts'
import { FollowedClients } from './followed-clients.tsx'
import classes from './mails-card.module.css'
import { useMailSettings } from './use-mail-settings.ts'

const LABELS: Record<MailChoice, string> = {
  'at-once': 'At once and daily',
  daily: 'Daily',
  none: 'None',
}
const WRITER_HINTS: Record<MailChoice, string> = {
  'at-once': 'When the agency reopens one of your articles, and one mail each morning.',
  daily: 'One mail each morning, only when something is late, due within 3 days or reopened.',
  none: 'No mails about articles.',
}
const ADMIN_HINTS: Record<MailChoice, string> = {
  'at-once': 'When an article of a client you follow is handed in, and one mail each morning.',
  daily: 'One mail each morning, only when something is late, due, reopened or has stood still.',
  none: 'No mails about articles.',
}
const CHOICES = Object.keys(LABELS) as MailChoice[]

/** Which mails about articles the user gets, in Edit Account. Nothing where the server sends none. */
export function MailsCard({ user, className }: { user: User; className: string }) {
  const { settings, saved, fault, choose, follow } = useMailSettings(user.id)
  if (settings?.isSent === false) return null
  const isAdmin = user.role === 'admin'
  const hints = isAdmin ? ADMIN_HINTS : WRITER_HINTS
  return (
    <section className={className} aria-labelledby="mails">
      <Title order={2} id="mails">
        Mails
      </Title>
      <p className={classes.lead}>
        About {isAdmin ? 'the agency’s' : 'your'} articles. Mails about your account, such as a new
        password, always come.
      </p>
      <Radio.Group
        aria-labelledby="mails"
        value={settings?.choice ?? null}
        onChange={(value) => choose(value as MailChoice)}
        aria-busy={settings === null}
      >
        <div className={classes.choices}>
          {CHOICES.map((choice) => (
            <div key={choice}>
              <Radio
                value={choice}
                label={LABELS[choice]}
                description={hints[choice]}
                disabled={settings === null}
              />
              {choice === 'at-once' && isAdmin && settings?.choice === choice && (
                <div className={classes.followed}>
                  <FollowedClients follows={settings.follows} onFollow={follow} />
                </div>
              )}
            </div>
          ))}
        </div>
      </Radio.Group>
      <p className={classes.state} role="status">
        {settings === null && fault === null && 'Loading…'}
        {saved && (
          <>
            <Check size={16} strokeWidth={1.8} aria-hidden="true" /> Saved
          </>
        )}
      </p>
      {fault !== null && (
        <p className={classes.fault} role="alert">
          {fault}
        </p>
      )}
    </section>
  )
}
