import '@mantine/core/styles/Radio.css'
import { Radio, type RadioProps } from '@mantine/core'
import classes from './radio-choice.module.css'

const CLASSES = {
  radio: classes.radio ?? '',
  icon: classes.icon ?? '',
  label: classes.label ?? '',
  description: classes.description ?? '',
}

/** One of several, all of which are seen. */
export const RadioChoice = (props: RadioProps) => (
  <Radio size="18px" classNames={CLASSES} {...props} />
)
