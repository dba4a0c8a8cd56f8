/** Said of a list whose run had no answer: a key keeps it from being done twice. */
export const RUN_NOT_ANSWERED =
  'No answer came, so it is not known what was done. Try again: nothing is done twice.'
