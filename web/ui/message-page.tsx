import { Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './message-page.module.css'
import { Moon } from './moon.tsx'

type MessagePageProps = { title: string; text: string; children?: ReactNode }

/** A page that has one thing to say and one way on. */
export function MessagePage({ title, text, children }: MessagePageProps) {
  return (
    <div className={classes.page}>
      <Moon size={64} k={0.18} tone="warn" />
      <Title order={1} fz={32} lh="38px">
        {title}
      </Title>
      <p className={classes.text}>{text}</p>
      {children}
    </div>
  )
}
