import { UnstyledButton } from '@mantine/core'
import { HardDrive, TriangleAlert } from 'lucide-react'
import { use, useEffect, useState } from 'react'
import { type ProfileRow, readProfiles, unsentWorkLeft } from '../../../sync/device.ts'
import { useApp } from '../../app-context.tsx'
import { notices } from '../../notices.ts'
import { Banner } from '../../ui/banner.tsx'
import { useLocalQuery } from '../../use-local-query.ts'
import classes from './kept-work.module.css'

/** Whose words still wait on this computer: they can be taken along without signing in. */
export function KeptWork() {
  const { device } = use(useApp().local())
  const profiles = useLocalQuery(() => readProfiles(device).catch(() => []), [device]) ?? []
  return profiles
    .filter(({ unsentCount }) => unsentCount > 0)
    .map((profile) => <KeptWorkOf key={profile.userId} profile={profile} />)
}

function KeptWorkOf({ profile: { userId, email, lastSeenAt } }: { profile: ProfileRow }) {
  const left = useWorkLeft(userId, lastSeenAt)
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
      Unsent changes of {email} are kept on this computer and will be sent after signing in.
      <p className={classes.more}>
        <SaveToFile userId={userId} />
      </p>
    </Banner>
  )
}

function SaveToFile({ userId }: { userId: string }) {
  const { local, saveFile } = useApp()
  async function save() {
    try {
      const { readUnsentFile } = await local()
      saveFile('Unsent articles.html', await readUnsentFile(userId))
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
function useWorkLeft(userId: string, notedAt: number): number | 'gone' | undefined {
  const [left, setLeft] = useState<number | 'gone'>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a newer note is a reason to look again
  useEffect(() => {
    let wanted = true
    unsentWorkLeft(userId)
      .catch(() => 1)
      .then((found) => wanted && setLeft(found))
    return () => {
      wanted = false
    }
  }, [userId, notedAt])
  return left
}
