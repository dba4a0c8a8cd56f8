import { TriangleAlert } from 'lucide-react'
import type { User } from '../../../../domain/wire/users.ts'
import { useApp, useSignedIn } from '../../../app/app-context.tsx'
import { notices } from '../../../app/notices.ts'
import { ConfirmForm } from '../../../ui/dialogs/confirm-form.tsx'
import { Banner } from '../../../ui/page/banner.tsx'
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
      notices.success('User deleted', `${user.name} no longer has access.`)
      onClose()
      if (isSelf) sessions.leave()
    },
  })
  return (
    <ConfirmForm
      sentence={
        `${user.name} will lose access immediately. Articles are not affected.` +
        (user.role === 'admin'
          ? ' Access tokens of programs are deleted with their owner, unless another admin takes them over first.'
          : '')
      }
      warning={
        isSelf && (
          <Banner kind="warning" icon={TriangleAlert}>
            <strong>This is your own account.</strong> You will be logged out. Only another admin
            can create a new account for you.
          </Banner>
        )
      }
      busy={busy}
      onConfirm={() => make()}
      onCancel={onClose}
    />
  )
}
