import type { NearMiss } from '../../../../domain/keywords/near-misses.ts'

const REASONS: Record<NearMiss['kind'], string> = {
  hyphen: 'Written with a hyphen.',
  'no hyphen': 'Written without its hyphen.',
  apostrophe: 'Written with an apostrophe.',
  'no apostrophe': 'Written without its apostrophe.',
  'one word': 'Written as one word.',
  'two words': 'Written as two words.',
  'line break': 'Split by a line break.',
  accent: 'Another accent.',
  'other form': 'Another form. Only an added ‘s’ counts.',
  'one letter': 'One letter differs.',
  'other order': 'Another order.',
  'words between': 'Two words between.',
  'other order, word between': 'Another order, and a word between.',
  'two paragraphs': 'Split over two paragraphs.',
}

/** Why the words do not count as the entity. */
export function nearReason({ kind, between }: NearMiss): string {
  if (kind === 'words between' && between.length === 1) return `One word between: ‘${between[0]}’.`
  return REASONS[kind]
}
