import { UnstyledButton } from '@mantine/core'
import { HardDrive, TriangleAlert } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import type { ProfileRow } from '../../../sync/device/device.ts'
import { useApp } from '../../app/app-context.tsx'
import type { Local } from '../../app/local.ts'
import { notices } from '../../app/notices.ts'
import { UNSENT_FILE } from '../../app/sign-out.ts'
import { useOnDemand } from '../../ui/on-demand.tsx'
import { Banner } from '../../ui/page/banner.tsx'
import { useAbortableEffect } from '../../ui/use-abortable-effect.ts'
import classes from './kept-work.module.css'

/** The users with unsent text on this device. Only the last user of this tab can download theirs (Q83). */
export function KeptWork() {
  const local = useLocalOfUsedComputer()
  const [profiles, setProfiles] = useState<ProfileRow[]>([])
  useEffect(() => local?.followProfiles(setProfiles), [local])
  if (!local) return null
  return profiles
    .filter(({ unsentCount }) => unsentCount > 0)
    .map((profile) => <KeptWorkOf key={profile.userId} {...{ profile, local }} />)
}

/** A device on which no user ever signed in has no unsent text, so its code is not loaded there. */
function useLocalOfUsedComputer(): Local | null {
  const { wasUsedHere, local } = useApp()
  const [fetched, setFetched] = useState<Local | null>(null)
  useAbortableEffect(
    (signal) => {
      async function look() {
        const found = (await wasUsedHere()) ? await local() : null
        if (!signal.aborted) setFetched(found)
      }
      look().catch(() => {})
    },
    [wasUsedHere, local],
  )
  return fetched
}

type KeptWorkOfProps = { profile: ProfileRow; local: Local }

function KeptWorkOf({ profile: { userId, email, lastSeenAt }, local }: KeptWorkOfProps) {
  const left = useWorkLeft(local, userId, lastSeenAt)
  const endedUserId = useStore(useApp().sessions.store, ({ endedUser }) => endedUser?.id)
  if (left === undefined || left === 0) return null
  if (left === 'gone') {
    return (
      <Banner kind="error" icon={TriangleAlert}>
        This browser has removed what it kept for {email}. Changes that were not sent are gone from
        this computer.
      </Banner>
    )
  }
  return (
    <Banner kind="warning" icon={HardDrive}>
      {email} has unsent changes on this computer. Log in to send them.
      {endedUserId === userId && (
        <p className={classes.more}>
          <SaveToFile {...{ userId, local }} />
        </p>
      )}
    </Banner>
  )
}

/** Fetched with the button: the connection may be gone when it is pressed. */
const fetchUnsentFile = () => import('../../unsent/unsent-file.ts')

function SaveToFile({ userId, local }: { userId: string; local: Local }) {
  const { saveFile } = useApp()
  useOnDemand(fetchUnsentFile)
  async function save() {
    try {
      saveFile(UNSENT_FILE, await local.readUnsentFile(userId))
    } catch {
      notices.error('Error', 'The file could not be made. Nothing was removed.')
    }
  }
  return (
    <UnstyledButton className={classes.action} onClick={() => void save()}>
      Save to a file
    </UnstyledButton>
  )
}

/** Undefined until it is known. When it cannot be read, the note about it is believed. */
function useWorkLeft(local: Local, userId: string, notedAt: number): number | 'gone' | undefined {
  const [left, setLeft] = useState<number | 'gone'>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a newer note is a reason to look again
  useAbortableEffect(
    (signal) => {
      local
        .unsentWorkLeft(userId)
        .catch(() => 1)
        .then((found) => !signal.aborted && setLeft(found))
    },
    [local, userId, notedAt],
  )
  return left
}
