import { useLayoutEffect, useRef, useState } from 'react'
import { TextButton } from '../../../ui/buttons/text-button.tsx'
import { useFocusFallback } from '../../../ui/focus-fallback.ts'
import classes from './cut-text.module.css'

type CutTextProps = { text: string; className: string | undefined; tabIndex?: 0 | -1 }

/** Shows the first six lines of a text, and a button for the rest. */
export function CutText({ text, className = '', tabIndex = 0 }: CutTextProps) {
  const paragraph = useRef<HTMLParagraphElement>(null)
  const [isWhole, setWhole] = useState(false)
  const [isCut, setCut] = useState(false)
  const button = useFocusFallback(paragraph)
  useLayoutEffect(() => {
    const { scrollHeight = 0, clientHeight = 0 } = paragraph.current ?? {}
    setCut(scrollHeight > clientHeight)
  }, [])
  return (
    <>
      <p
        ref={paragraph}
        className={isWhole ? className : `${className} ${classes.cut}`}
        tabIndex={isCut ? -1 : undefined}
        dir="auto"
      >
        {text}
      </p>
      {isCut && !isWhole && (
        <TextButton ref={button} tabIndex={tabIndex} onClick={() => setWhole(true)}>
          Show all
        </TextButton>
      )}
    </>
  )
}
