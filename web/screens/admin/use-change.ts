import { useMutation, useQueryClient } from '@tanstack/react-query'
import { notices } from '../../notices.ts'

type Change<Input> = {
  call: (input: Input) => Promise<void>
  /** Title of the snackbar when it fails (spec section 8). */
  failure: string
  onDone: (input: Input) => void
}

/**
 * One change at the server. Whatever came of it, the lists are loaded again (spec section 4): without an
 * answer it may have been made all the same.
 */
export function useChange<Input>({ call, failure, onDone }: Change<Input>) {
  const queries = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: call,
    onSuccess: (_, input) => onDone(input),
    onError: (error) => notices.fail(failure, error),
    onSettled: () => void queries.invalidateQueries(),
  })
  return { busy: isPending, make: mutate }
}
