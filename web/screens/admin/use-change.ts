import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { notices } from '../../app/notices.ts'

type Change<Input, Result> = {
  call: (input: Input) => Promise<Result>
  /** Title of the snackbar when it fails (spec section 8). */
  failure: string
  onDone: (input: Input, result: Result) => void
}

/**
 * One change at the server. Whatever its outcome, the lists are loaded again (spec section 4): without a response it
 * may have been made all the same.
 */
export function useChange<Input, Result = void>({ call, failure, onDone }: Change<Input, Result>) {
  const queries = useQueryClient()
  // A second press may come before the first has re-rendered the button.
  const isUnderWay = useRef(false)
  const { mutate, isPending } = useMutation({
    mutationFn: call,
    onSuccess: (result, input) => {
      notices.succeed(failure)
      onDone(input, result)
    },
    onError: (error) => notices.fail(failure, error),
    onSettled: () => {
      isUnderWay.current = false
      void queries.invalidateQueries()
    },
  })
  function make(input: Input): void {
    if (isUnderWay.current) return
    isUnderWay.current = true
    mutate(input)
  }
  return { busy: isPending, make }
}
