import { Button } from '@mantine/core'
import { KeyRound } from 'lucide-react'
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx'
import { useDialog } from '../../../ui/dialogs/use-dialog.ts'
import { ProgramAccess } from './program-access.tsx'

export function ProgramAccessButton() {
  const dialog = useDialog<'programs'>()
  return (
    <>
      <Button
        variant="default"
        ms="auto"
        leftSection={<KeyRound size={16} strokeWidth={1.7} aria-hidden />}
        onClick={() => dialog.open('programs')}
      >
        Access for programs
      </Button>
      <FormDialog dialog={dialog} title={() => 'Access for programs'}>
        {() => <ProgramAccess onClose={dialog.close} />}
      </FormDialog>
    </>
  )
}
