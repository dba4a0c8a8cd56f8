import { TriangleAlert } from 'lucide-react'
import type { User } from '../../../../domain/wire-users.ts'
import { useApp, useSignedIn } from '../../../app-context.tsx'
import { notices } from '../../../notices.ts'
import { Banner } from '../../../ui/banner.tsx'
import { ConfirmForm } from '../../../ui/confirm-form.tsx'
import { useChange } from '../use-change.ts'
import { useUsers } from '../use-remote.ts'

export function DeleteUser({ user, onClose }: { user: User; onClose: () => void }) {
  const users = useUsers()
  const { sessions } = useApp()
  const isSelf = useSignedIn().user.id === user.id
  const { busy, make } = useChange<void>({
    call: () => users.remove(user.id),
    failure: 'Error deleting user',
    onDone: () => {
      notices.success('User deleted', `${user.name} has no access any more.`)
      onClose()
      if (isSelf) sessions.leave()
    },
  })
  return (
    <ConfirmForm
      sentence={`${user.name} will lose access at once. Articles are not affected.`}
      warning={
        isSelf && (
          <Banner kind="warning" icon={TriangleAlert}>
            <strong>This is your own account.</strong> You will be signed out, and only another
            admin can give you a new one.
          </Banner>
        )
      }
      busy={busy}
      onConfirm={() => make()}
      onCancel={onClose}
    />
  )
}
