import { describe, expect, test } from 'vitest'
import type { ArticleDocument, DocumentNode } from '../../domain/text/document.ts'
import { merge3 } from './merge3.ts'

/**
 * Two users edit one text. A text is a list of lines: `# ` begins a heading, `- ` and `1. ` an item (continued by two
 * or three spaces), `> ` a quote; `---` is a rule, `*so*` is bold, `|` a hard break.
 */
type Story = {
  base: string[]
  mine: string[]
  theirs: string[]
  /** What the writer of `mine` typed in one go. */
  typed?: string[]
  /** `theirs` has nothing that the writer of `mine` wrote since the base. */
  isByAnother?: boolean
  merged: string[]
  conflict: boolean
}

const CALL = 'Call our friendly team today to book your free consultation right now.'

const EIGHT = [
  'The garden path is the first thing that a guest will see.',
  'We lay the stone in the sand and fill the joints with gravel.',
  'A lamp at the gate is all you need to find the way to the door.',
  'The best time to plant a tree is in the autumn when the soil is warm.',
  'Ask the team for the price of the stone and the time that the work will take.',
  'In the winter the path can be icy, and the stone is hard to clean.',
  'The light of the lamp is warm and does not disturb the animals in the garden.',
  'We are in the workshop from Monday to Friday, and in the garden on Saturday.',
]

const STORIES: Record<string, Story> = {
  'edits of one sentence, in two places': {
    base: ['Roses want a sunny place and much water.'],
    mine: ['Red roses want a sunny place and much water.'],
    theirs: ['Roses want a sunny place and very much water.'],
    merged: ['Red roses want a sunny place and very much water.'],
    conflict: false,
  },
  'the same word replaced by both': {
    base: ['Roses want a sunny place.'],
    mine: ['Roses want a bright place.'],
    theirs: ['Roses want a warm place.'],
    merged: ['Roses want a warm place. Roses want a bright place.'],
    conflict: true,
  },
  'sentences that both begin an empty text with': {
    base: [''],
    mine: ['The garden is a place for the quiet and the slow.'],
    theirs: ['The kitchen is a place for the loud and the quick.'],
    merged: [
      'The kitchen is a place for the loud and the quick. The garden is a place for the quiet and the slow.',
    ],
    conflict: true,
  },
  'short sentences that both begin an empty text with': {
    base: [''],
    mine: ['Imogen says it is wet.'],
    theirs: ['Tobias says it is cold.'],
    merged: ['Tobias says it is cold. Imogen says it is wet.'],
    conflict: true,
  },
  'sentences that both add to a paragraph': {
    base: ['We planted the hedge in spring.'],
    mine: ['We planted the hedge in spring. The soil was wet and the roots were slow to take.'],
    theirs: ['We planted the hedge in spring. The first year was hard and the leaves were small.'],
    merged: [
      'We planted the hedge in spring. The first year was hard and the leaves were small. The soil was wet and the roots were slow to take.',
    ],
    conflict: true,
  },
  'sentences that both add and that differ in their last word': {
    base: ['We planted.'],
    mine: ['We planted. The lamps are low.'],
    theirs: ['We planted. The lamps are warm.'],
    merged: ['We planted. The lamps are warm. The lamps are low.'],
    conflict: true,
  },
  'sentences that both add and that have every other word in common': {
    base: ['We planted.'],
    mine: ['We planted. In spring we prune.'],
    theirs: ['We planted. In autumn we mulch.'],
    merged: ['We planted. In autumn we mulch. In spring we prune.'],
    conflict: true,
  },
  'sentences that both put between two': {
    base: ['One. Two.'],
    mine: ['One. In winter the path is wet and the light is low. Two.'],
    theirs: ['One. In summer the path is dry and the light is high. Two.'],
    merged: [
      'One. In summer the path is dry and the light is high. In winter the path is wet and the light is low. Two.',
    ],
    conflict: true,
  },
  'paragraphs that both put between two': {
    base: ['One.', 'Two.'],
    mine: ['One.', 'In winter the path is wet and the light is low.', 'Two.'],
    theirs: ['One.', 'In summer the path is dry and the light is high.', 'Two.'],
    merged: [
      'One.',
      'In summer the path is dry and the light is high.',
      'In winter the path is wet and the light is low.',
      'Two.',
    ],
    conflict: true,
  },
  'lines that one typed before a paragraph, and a sentence that the other typed at its start': {
    base: ['We planted.'],
    mine: ['Ada rests in the shade.', 'Wren digs in the sun. We planted.'],
    theirs: ['Imogen waters the garden. We planted.'],
    merged: [
      'Imogen waters the garden.',
      'Ada rests in the shade.',
      'Wren digs in the sun. We planted.',
    ],
    conflict: true,
  },
  'items that one typed before an item, and a sentence that the other typed at its start': {
    base: ['- We planted.'],
    mine: ['- Ada rests in the shade.', '- Wren digs in the sun. We planted.'],
    theirs: ['- Imogen waters the garden. We planted.'],
    merged: [
      '- Imogen waters the garden.',
      '- Ada rests in the shade.',
      '- Wren digs in the sun. We planted.',
    ],
    conflict: true,
  },
  'a paragraph of both, before whose sentence one typed another one': {
    base: ['One.'],
    mine: ['One.', 'The best time to plant is autumn.'],
    theirs: ['One.', 'We mulch the beds first. The best time to plant is autumn.'],
    merged: ['One.', 'We mulch the beds first. The best time to plant is autumn.'],
    conflict: false,
  },
  'a paragraph of both, whose last sentence is short': {
    base: ['One.'],
    mine: ['One.', 'We mulch the beds first. The best time to plant is autumn. Ada rests'],
    theirs: ['One.', 'The best time to plant is autumn. Ada rests'],
    merged: ['One.', 'We mulch the beds first. The best time to plant is autumn. Ada rests'],
    conflict: false,
  },
  'a paragraph of both, before which one typed a sentence and after which the other did': {
    base: ['One.'],
    mine: ['One.', 'We mulch the beds first. The best time to plant is autumn.'],
    theirs: ['One.', 'The best time to plant is autumn. Ada rests in the shade.'],
    merged: [
      'One.',
      'We mulch the beds first. The best time to plant is autumn. Ada rests in the shade.',
    ],
    conflict: true,
  },
  'a paragraph of both, before which one typed a sentence and the other a paragraph': {
    base: ['One.'],
    mine: ['One.', 'We mulch the beds first. The best time to plant is autumn. Wren digs.'],
    theirs: ['One.', 'Ada rests in the shade.', 'The best time to plant is autumn.'],
    merged: [
      'One.',
      'Ada rests in the shade.',
      'We mulch the beds first. The best time to plant is autumn. Wren digs.',
    ],
    conflict: true,
  },
  'a paragraph of both, before which one typed a paragraph and a sentence': {
    base: ['One.'],
    mine: ['One.', 'The best time to plant is autumn. Wren digs.'],
    theirs: [
      'One.',
      'Ada rests in the shade.',
      'We mulch first. The best time to plant is autumn.',
    ],
    merged: [
      'One.',
      'Ada rests in the shade.',
      'We mulch first. The best time to plant is autumn. Wren digs.',
    ],
    conflict: true,
  },
  'a paragraph of both that one divides': {
    base: ['One.'],
    mine: ['One.', 'We mulch the beds first.', 'The best time to plant is autumn. Wren digs.'],
    theirs: ['One.', 'We mulch the beds first. The best time to plant is autumn. Ada rests.'],
    merged: [
      'One.',
      'We mulch the beds first.',
      'The best time to plant is autumn. Ada rests. Wren digs.',
    ],
    conflict: true,
  },
  'two lines that one typed from the end of a paragraph into the next one, where the other begins':
    {
      base: ['One.', 'Two.'],
      mine: ['One. Ada rests in the shade.', 'Wren digs in the sun. Two.'],
      theirs: ['One.', 'Imogen waters the garden. Two.'],
      merged: [
        'One. Ada rests in the shade.',
        'Wren digs in the sun. Imogen waters the garden. Two.',
      ],
      conflict: true,
    },
  'two lines that the other typed from the end of a paragraph, where one also typed, into the next one':
    {
      base: ['One.', 'Two.'],
      mine: ['One. Imogen waters the garden.', 'Two.'],
      theirs: ['One. Ada rests in the shade.', 'Wren digs in the sun. Two.'],
      merged: [
        'One. Imogen waters the garden. Ada rests in the shade.',
        'Wren digs in the sun. Two.',
      ],
      conflict: true,
    },
  'lines that both add before and after a rule': {
    base: ['One.', '---', 'Two.'],
    mine: ['One.', 'Ada rests in the shade.', '---', 'Wren digs in the sun.', 'Two.'],
    theirs: ['One.', 'Imogen waters the garden.', '---', 'Tobias rakes the path.', 'Two.'],
    merged: [
      'One.',
      'Imogen waters the garden.',
      'Ada rests in the shade.',
      '---',
      'Tobias rakes the path.',
      'Wren digs in the sun.',
      'Two.',
    ],
    conflict: true,
  },
  'two lines each that both typed from the end of a paragraph into the next one': {
    base: ['One.', 'Two.'],
    mine: ['One. Imogen waters the garden.', 'Tobias rakes the path. Two.'],
    theirs: ['One. Ada rests in the shade.', 'Wren digs in the sun. Two.'],
    merged: [
      'One. Ada rests in the shade.',
      'Wren digs in the sun.',
      'Imogen waters the garden.',
      'Tobias rakes the path. Two.',
    ],
    conflict: true,
  },
  'lines typed between a block that was moved and the next one, and lines that the other typed there':
    {
      base: ['We planted the hedge.', 'The soil was wet.', 'The lamps are low at night.'],
      mine: [
        'The lamps are low at night.',
        'Ada rests in the shade.',
        'Wren digs. We planted the hedge.',
        'The soil was wet.',
      ],
      theirs: [
        'Imogen waters the garden.',
        'Tobias rakes. We planted the hedge.',
        'The soil was wet.',
        'The lamps are low at night.',
      ],
      merged: [
        'The lamps are low at night.',
        'Imogen waters the garden.',
        'Tobias rakes.',
        'Ada rests in the shade.',
        'Wren digs. We planted the hedge.',
        'The soil was wet.',
      ],
      conflict: true,
    },
  'two runs with a sentence in common': {
    base: ['One.'],
    mine: ['One. We dig. The best time to plant is autumn. We rest.'],
    theirs: ['One. We mulch. The best time to plant is autumn. We prune.'],
    merged: ['One. We mulch. We dig. The best time to plant is autumn. We prune. We rest.'],
    conflict: true,
  },
  'a sentence replaced by one where the other typed in it': {
    base: ['One. Roses want sun and water. Two.'],
    mine: ['One. Ferns like the shade of trees. Two.'],
    theirs: ['One. Roses want much sun and water. Two.'],
    merged: ['One. Roses want much sun and water. Ferns like the shade of trees. Two.'],
    conflict: true,
  },
  'the rest of a sentence that the writer is typing, behind whose half the other wrote': {
    base: ['We planted. The soil was wet'],
    mine: ['We planted. The soil was wet and the roots were slow.'],
    theirs: ['We planted. The soil was wet The first year was hard.'],
    typed: ['The soil was wet and the roots were slow.'],
    merged: ['We planted. The soil was wet and the roots were slow. The first year was hard.'],
    conflict: true,
  },
  'the same where the half ended in a word': {
    base: ['The soil was we'],
    mine: ['The soil was wet and the roots'],
    theirs: ['The soil was we The first year was hard.'],
    typed: ['The soil was wet and the roots'],
    merged: ['The soil was wet and the roots The first year was hard.'],
    conflict: false,
  },
  'the same where the first word was only begun, and the other wrote a line': {
    base: ['Th', 'We planted.'],
    mine: ['The soil was wet', 'We planted.'],
    theirs: ['Th', 'The first year was hard.', 'We planted.'],
    typed: ['The soil was wet'],
    merged: ['The soil was wet', 'The first year was hard.', 'We planted.'],
    conflict: false,
  },
  'a sentence that the writer is typing, of which the other knows nothing': {
    base: ['We planted.'],
    mine: ['We planted. The soil was wet and'],
    theirs: ['We planted. The first year was hard.'],
    typed: ['The soil was wet and'],
    merged: ['We planted. The first year was hard. The soil was wet and'],
    conflict: true,
  },
  'a word that both typed over, each another one': {
    base: ['The leaves are cold today.'],
    mine: ['The leaves are warm today.'],
    theirs: ['The leaves are wet today.'],
    typed: ['warm'],
    merged: ['The leaves are wet today. The leaves are warm today.'],
    conflict: true,
  },
  'a typed sentence that the next line had too, where both replaced it': {
    base: ['The path is dry.', 'The roots are high. Ada prunes.'],
    mine: ['The path is dry. We dig in May. The roots are high. It rains.', 'We sow. Ada prunes.'],
    theirs: ['The path is dry.', 'We sow. Ada prunes.'],
    typed: ['We dig in May. The roots are high. It rains.'],
    merged: [
      'The path is dry. We dig in May. The roots are high. It rains.',
      'We sow. Ada prunes.',
    ],
    conflict: false,
  },
  'the rest of a sentence that the writer is typing, whose beginning the other typed over': {
    base: ['The soil is a place'],
    mine: ['The soil is a place for the low and'],
    theirs: ['The garden was loud and the lamps were'],
    typed: ['The soil is a place for the low and'],
    merged: ['The garden was loud and the lamps were The soil is a place for the low and'],
    conflict: true,
  },
  'the same where the other took the beginning away': {
    base: ['We planted. The soil is a place'],
    mine: ['We planted. The soil is a place for the low.'],
    theirs: ['We planted.'],
    typed: ['The soil is a place for the low.'],
    merged: ['We planted. The soil is a place for the low.'],
    conflict: true,
  },
  'the rest of a sentence that the writer is typing, who also typed in its beginning': {
    base: ['In autumn we rest.'],
    mine: ['In autumn, In winter we prune. we rest. There the garden'],
    theirs: ['In autumn now we rest. Tobias says it is high.', 'We planted.'],
    typed: ['In autumn we rest. There the', 'In winter we prune.', 'garden'],
    merged: [
      'In autumn now we rest. In autumn, In winter we prune. we rest. There the garden Tobias says it is high.',
      'We planted.',
    ],
    conflict: true,
  },
  'a typed sentence that the base has by now, before which the writer typed again': {
    base: ['One. Roses want sun.'],
    mine: ['One. Now Roses want sun.'],
    theirs: ['One. Roses want much sun.'],
    typed: ['Roses want sun.', 'Now'],
    merged: ['One. Now Roses want much sun.'],
    conflict: false,
  },
  'the rest of a sentence in whose beginning its writer put a word': {
    base: ['The lamps'],
    mine: ['The two lamps are low.'],
    theirs: ['The lamps Imogen says it is warm.'],
    typed: ['The lamps are low.', 'two'],
    merged: ['The two lamps are low. Imogen says it is warm.'],
    conflict: true,
  },
  'the rest of a sentence in whose beginning its writer replaced a word': {
    base: ['The lamps is'],
    mine: ['The lamps are low and warm.'],
    theirs: ['The lamps is Imogen says it is warm.'],
    typed: ['The lamps is low and warm.', 'are'],
    merged: ['The lamps are low and warm. Imogen says it is warm.'],
    conflict: false,
  },
  'the rest of a sentence that has its first words twice': {
    base: ['Imogen and the garden was cold'],
    mine: ['Imogen and the garden was cold and the roots were dry.'],
    theirs: ['Imogen and Wren the garden was cold'],
    typed: ['the garden was cold and the roots were dry.'],
    merged: ['Imogen and Wren the garden was cold and the roots were dry.'],
    conflict: false,
  },
  'the rest of a sentence around whose last word the other one wrote': {
    base: ['In autumn the kitchen is loud and the'],
    mine: ['In autumn the kitchen is loud and In winter we prune the hedge of Tobias'],
    theirs: ['In autumn the kitchen is loud and the light is low.'],
    typed: ['In winter we prune', 'hedge of Tobias'],
    merged: [
      'In autumn the kitchen is loud and In winter we prune the light is low. hedge of Tobias',
    ],
    conflict: true,
  },
  'the rest of a sentence into which the other one put a word before': {
    base: ['In spring the kitchen Ada is'],
    mine: ['In spring the kitchen Ada is wet and cold.'],
    theirs: ['In spring the kitchen Ada is low', 'Wren says it is warm.'],
    typed: ['In spring the kitchen is wet and cold.'],
    merged: ['In spring the kitchen Ada is wet and cold. low', 'Wren says it is warm.'],
    conflict: true,
  },
  'a run that ends with the first words of the line before which it was typed': {
    base: ['The first year here was hard and The The kitchen was warm'],
    mine: ['the leaves are high. The first year here was hard and The The kitchen was warm'],
    theirs: [
      'In May Tobias said The first year was The first year here was hard and The garden is a place for the high The kitchen was warm',
    ],
    typed: ['the leaves are high.'],
    merged: [
      'In May Tobias said The first year was the leaves are high. The first year here was hard and The garden is a place for the high The kitchen was warm',
    ],
    conflict: true,
  },
  'a first word that is typed, and a sentence of another one that begins with it': {
    base: ['We planted.'],
    mine: ['We planted. The'],
    theirs: ['We planted. The first year was cold.'],
    typed: ['The'],
    isByAnother: true,
    merged: ['We planted. The first year was cold. The'],
    conflict: true,
  },
  'a first word that is typed, and a sentence that begins with it and may be of the same writer': {
    base: ['We planted.'],
    mine: ['We planted. The'],
    theirs: ['We planted. The first year was cold.'],
    typed: ['The'],
    merged: ['We planted. The first year was cold.'],
    conflict: false,
  },
  'first words that both typed': {
    base: ['We planted.'],
    mine: ['We planted. The first'],
    theirs: ['We planted. The first'],
    typed: ['The first'],
    isByAnother: true,
    merged: ['We planted. The first'],
    conflict: false,
  },
  'first words that both typed, and both complete their sentence': {
    base: ['We planted. The'],
    mine: ['We planted. The leaves were small.'],
    theirs: ['We planted. The first year was hard.'],
    typed: ['The leaves were small.'],
    isByAnother: true,
    merged: ['We planted. The first year was hard. The leaves were small.'],
    conflict: true,
  },
  'a sentence that its writer completes, and one of another writer after its first word': {
    base: ['We planted. The'],
    mine: ['We planted. The leaves were small.'],
    theirs: ['We planted. The Ada says it rains.'],
    typed: ['The leaves were small.'],
    isByAnother: true,
    merged: ['We planted. The leaves were small. Ada says it rains.'],
    conflict: true,
  },
  'more words than two users type by chance, and both complete their sentence': {
    base: ['We planted. The first year was'],
    mine: ['We planted. The first year was hard.'],
    theirs: ['We planted. The first year was and ada rests.'],
    typed: ['The first year was hard.'],
    isByAnother: true,
    merged: ['We planted. The first year was hard. and ada rests.'],
    conflict: true,
  },
  'a short sentence that both typed': {
    base: ['We planted.'],
    mine: ['We planted. It rains.'],
    theirs: ['We planted. It rains.'],
    typed: ['It rains.'],
    isByAnother: true,
    merged: ['We planted. It rains.'],
    conflict: false,
  },
  'a short line that both typed': {
    base: ['We planted.'],
    mine: ['We planted.', 'The soil'],
    theirs: ['We planted.', 'The soil'],
    typed: ['The soil'],
    isByAnother: true,
    merged: ['We planted.', 'The soil'],
    conflict: false,
  },
  'a sentence that is typed, and a first word of another one that it begins with': {
    base: ['We planted.'],
    mine: ['We planted. The first year was'],
    theirs: ['We planted. The'],
    typed: ['The first year was'],
    isByAnother: true,
    merged: ['We planted. The The first year was'],
    conflict: true,
  },
  'a sentence after one of the same writer that another one continues': {
    base: ['It is small in the'],
    mine: ['It is small in the The garden was high'],
    theirs: ['It is small in the path, and'],
    typed: ['It is small in the', 'The garden was high'],
    merged: ['It is small in the path, and The garden was high'],
    conflict: true,
  },
  'a sentence that one continues, and lines after it that he removes and the other adds': {
    base: ['In autumn', 'Ada rests.', 'Wren mows.'],
    mine: ['In autumn we', 'Tobias digs.', 'Ada rests.', 'Wren mows.'],
    theirs: ['In autumn the path is cold and'],
    merged: ['In autumn the path is cold and we', 'Tobias digs.'],
    conflict: true,
  },
  'a sentence that one continues in a block that the other empties': {
    base: ['We prune.', 'The first year was small and the'],
    mine: ['We prune.', ''],
    theirs: ['We prune.', 'The first year was small and the leaves'],
    merged: ['We prune.', 'The first year was small and the leaves'],
    conflict: true,
  },
  'a rest that was typed after a reload and has no end, of a sentence that the other removes': {
    base: ['We planted. It is small'],
    mine: ['We planted. It is small in the shade of trees'],
    theirs: ['We planted.'],
    typed: ['It is small', 'in the shade of trees'],
    merged: ['We planted. It is small in the shade of trees'],
    conflict: true,
  },
  'a last word in bold, and other words before and after it': {
    base: ['Call us today'],
    mine: ['Please write or phone us today for a quote'],
    theirs: ['Call us *today*'],
    merged: ['Please write or phone us *today* for a quote'],
    conflict: false,
  },
  'a block that one empties, and a sentence that the other adds to it': {
    base: ['We prune.', 'Old one is here. Old two is there.'],
    mine: ['We prune.', ''],
    theirs: ['We prune.', 'Old one is here. Old two is there. New three.'],
    merged: ['We prune.', 'New three.'],
    conflict: false,
  },
  'a line that both typed, and one that is typed after it': {
    base: [''],
    mine: ['Our garden', 'It is small.'],
    theirs: ['Our garden'],
    typed: ['Our garden', 'It is small.'],
    merged: ['Our garden', 'It is small.'],
    conflict: false,
  },
  'a sentence that both continue, one of whom removes the lines after it': {
    base: ['In autumn', 'Ada rests.', 'Wren mows.'],
    mine: ['In autumn we dig.'],
    theirs: ['In autumn the path is cold and', 'Ada rests.', 'Wren mows.'],
    typed: ['In autumn we dig.'],
    merged: ['In autumn we dig. the path is cold and'],
    conflict: true,
  },
  'first words that two users complete, one of whom removes the lines after it': {
    base: ['In autumn', 'Ada rests.', 'Wren mows.'],
    mine: ['In autumn we dig.'],
    theirs: ['In autumn the path is cold and', 'Ada rests.', 'Wren mows.'],
    typed: ['In autumn we dig.'],
    isByAnother: true,
    merged: ['In autumn the path is cold and In autumn we dig.'],
    conflict: true,
  },
  'a sentence in which its writer put a word, and both then one at the same place': {
    base: ['The first year was dry'],
    mine: ['The very first year was long dry'],
    theirs: ['The first year was hard and dry'],
    typed: ['The first year was dry', 'long', 'very'],
    merged: ['The first year was hard and dry The very first year was long dry'],
    conflict: true,
  },
  'a sentence into which one put a word that it has twice, and the other removed it': {
    base: ['One. The shop is open and car is in the yard.'],
    mine: ['One. The shop is open and the car is in the yard.'],
    theirs: ['One.'],
    typed: ['The shop is open and car is in the yard.', 'the'],
    merged: ['One. The shop is open and the car is in the yard.'],
    conflict: true,
  },
  'a sentence into which both put a word at one place, one of them a word that it has twice': {
    base: ['The shop is open and car is in the yard.'],
    mine: ['The shop is open and the car is in the yard.'],
    theirs: ['The shop is open and our car is in the yard.'],
    typed: ['The shop is open and car is in the yard.', 'the'],
    merged: [
      'The shop is open and our car is in the yard. The shop is open and the car is in the yard.',
    ],
    conflict: true,
  },
  'the rest of a sentence of which its writer corrected the first word': {
    base: ['We met in the'],
    mine: ['We met in the garden of the town.'],
    theirs: ['We met in the Ada says it is warm.'],
    typed: ['We met in the gadren of the town.', 'rd'],
    merged: ['We met in the garden of the town. Ada says it is warm.'],
    conflict: true,
  },
  'the rest of a sentence into which its writer put two words, the second one first': {
    base: ['We'],
    mine: ['We like very deep lakes near the town.'],
    theirs: ['We Ada says it rains.'],
    typed: ['We like lakes near the town.', 'deep', 'very'],
    merged: ['We like very deep lakes near the town. Ada says it rains.'],
    conflict: true,
  },
  'words behind a line, of whose last word one had written more in the next line': {
    base: ['milk and', 'eggs and ham'],
    mine: ['milk', 'bread and butter', 'ten eggs and ham'],
    theirs: ['milk and tea', 'eggs and ham'],
    typed: ['bread and buttter', 'ten'],
    merged: ['milk tea', 'bread and butter', 'ten eggs and ham'],
    conflict: false,
  },
  'a sentence that ends as another one does which its writer typed': {
    base: ['Put the chair in today.'],
    mine: ['Put the chair in the garden today.'],
    theirs: ['Put the chair in quickly today.'],
    typed: ['Roses grow in the garden', 'the garden'],
    merged: ['Put the chair in quickly today. Put the chair in the garden today.'],
    conflict: true,
  },
  'a sentence in and before which one put words, and the other removed it': {
    base: ['It rained. Most guests ask for tea in the evening.'],
    mine: ['It rained. quite Most guests ask in for tea in the evening.'],
    theirs: ['It rained.'],
    typed: ['Most guests ask for tea in the evening.', 'quite', 'in'],
    merged: ['It rained. quite Most guests ask in for tea in the evening.'],
    conflict: true,
  },
  'a sentence in which one corrected a word behind new ones, and the other removed it': {
    base: ['Milk and bread. It was wqrm and the roof was wet.'],
    mine: ['Milk and bread. It small big was warm and the roof was wet.'],
    theirs: ['Milk and bread.'],
    typed: ['It was wqrm and the roof was wet.', 'a', 'big', 'small'],
    merged: ['Milk and bread. It small big was warm and the roof was wet.'],
    conflict: true,
  },
  'the first words of a sentence removed by one, and the other put a word between them': {
    base: ['prices start at nine euros and include delivery.'],
    mine: ['prices start today at nine euros and include delivery.'],
    theirs: ['nine euros and include delivery.'],
    merged: ['prices start today at nine euros and include delivery.'],
    conflict: true,
  },
  'a sentence that was completed after a reload of the page': {
    base: ['We planted. The lamps are'],
    mine: ['We planted. The lamps are low and warm.'],
    theirs: ['We planted. The lamps are Imogen says it is warm.'],
    typed: ['The lamps are', 'low and warm.'],
    merged: ['We planted. The lamps are low and warm. Imogen says it is warm.'],
    conflict: true,
  },
  'a sentence that was corrected, and completed after a reload of the page': {
    base: ['The shop quite is open and'],
    mine: ['The shop quite is open and car is in the yard.'],
    theirs: ['The shop quite is open and Ada says it rains.'],
    typed: ['The shop is open and', 'quite', 'car is in the yard.'],
    merged: ['The shop quite is open and car is in the yard. Ada says it rains.'],
    conflict: true,
  },
  'a word inserted after a word that was typed elsewhere, in a sentence that the other writer deleted':
    {
      base: ['It rained. He has a dog.'],
      mine: ['It rained. He has a big dog.'],
      theirs: ['It rained.'],
      typed: ['a', 'big'],
      merged: ['It rained. He has a big dog.'],
      conflict: true,
    },
  'a word that both writers inserted after a word that was typed elsewhere': {
    base: ['He has a dog.'],
    mine: ['He has a big dog.'],
    theirs: ['He has a small dog.'],
    typed: ['a', 'big'],
    merged: ['He has a small dog. He has a big dog.'],
    conflict: true,
  },
  'a word inserted after a word that was typed elsewhere, before a word that the other writer replaced':
    {
      base: ['We saw the lamps today.'],
      mine: ['We saw the bright lamps today.'],
      theirs: ['We saw the lights today.'],
      typed: ['the', 'bright'],
      merged: ['We saw the lights today. We saw the bright lamps today.'],
      conflict: true,
    },
  'a word inserted between two runs of a sentence that the other writer deleted': {
    base: ['One. The shop is open and car is in the yard.'],
    mine: ['One. The shop is open and the car is in the yard.'],
    theirs: ['One.'],
    typed: ['The shop is open and', 'car is in the yard.', 'the'],
    merged: ['One. The shop is open and the car is in the yard.'],
    conflict: true,
  },
  'a sentence inserted before a repeated word, after which the other writer inserted words': {
    base: ['Ada says: in the garden it rains.'],
    mine: ['Ada says: We planted roses in the garden it rains.'],
    theirs: ['Ada says: in and around the garden it rains.'],
    typed: ['We planted roses', 'in'],
    merged: ['Ada says: We planted roses in and around the garden it rains.'],
    conflict: false,
  },
  'the rest of a sentence whose first word its writer replaced': {
    base: ['The lamps'],
    mine: ['Two lamps are low.'],
    theirs: ['The lamps Imogen says it is warm.'],
    typed: ['The lamps are low.', 'Two'],
    merged: ['Two lamps are low. Imogen says it is warm.'],
    conflict: true,
  },
  'the rest of a sentence in whose beginning its writer corrected letters of a word': {
    base: ['We planted. The lmap is'],
    mine: ['We planted. The lamp is low and warm.'],
    theirs: ['We planted. The lmap is Imogen says it is warm.'],
    typed: ['The lmap is low and warm.', 'am'],
    merged: ['We planted. The lamp is low and warm. Imogen says it is warm.'],
    conflict: true,
  },
  'a line that one moved and wrote much in, before a line that both changed alike': {
    base: ['Roses want much sun', EIGHT[0] ?? '', EIGHT[1] ?? ''],
    mine: [
      'The garden path is the first thing that a guest will',
      'Roses want much water, light from above, no wind, and beds that were dug before sun',
      'We put cool dry stone in the sand and fill the joints with gravel.',
    ],
    theirs: [
      'Roses want much sun',
      EIGHT[0] ?? '',
      'We put cool dry stone in the sand and fill the joints with gravel.',
    ],
    merged: [
      'The garden path is the first thing that a guest will',
      'Roses want much water, light from above, no wind, and beds that were dug before sun',
      'We put cool dry stone in the sand and fill the joints with gravel.',
    ],
    conflict: false,
  },
  'words typed by both, with a word before them, and with an empty line behind them': {
    base: ['One.', 'Two.'],
    mine: ['One. Now we plant roses', 'Two.'],
    theirs: ['One. we plant roses', '', 'Two.'],
    merged: ['One. Now we plant roses', '', 'Two.'],
    conflict: true,
  },
  'one paragraph typed by both, which the other divided': {
    base: [''],
    mine: ['The kitchen was loud and the roots were cold.'],
    theirs: ['The kitchen was', 'loud and the roots were cold.'],
    merged: [
      'The kitchen was',
      'loud and the roots were cold.',
      'The kitchen was loud and the roots were cold.',
    ],
    conflict: true,
  },
  'the same addition by both': {
    base: ['Roses want sun.', 'So do herbs.'],
    mine: ['Roses want sun.', 'Water them daily.', 'So do herbs.'],
    theirs: ['Roses want sun.', 'Water them daily.', 'So do herbs.'],
    merged: ['Roses want sun.', 'Water them daily.', 'So do herbs.'],
    conflict: false,
  },
  'a sentence pasted into itself by one, and shortened by the other': {
    base: ['Prices start at nine euros and include delivery to your door.'],
    mine: [
      'Prices start at Prices start at nine euros and include delivery to your door. nine euros and door.',
    ],
    theirs: ['Prices start at nine euros and door.'],
    merged: ['Prices start at Prices start at nine euros and door. nine euros and door.'],
    conflict: false,
  },
  'the same sentence added by both in two places, of which one is in a new block': {
    base: ['A metal lamp for the path.', 'We build gardens.', 'And patios.'],
    mine: [`A metal lamp ${CALL} for the path.`, 'gardens|', 'garden'],
    theirs: [
      'A metal lamp for the garden price the path.',
      'We build gardens.',
      `on week ${CALL}`,
      'and water for the path.',
      'We build gardens.',
      'And patios.',
    ],
    merged: [
      `A metal lamp ${CALL} for the garden price the path.`,
      `on week ${CALL}`,
      'and water for the path.',
      'We build gardens.',
      'gardens|',
      'garden',
    ],
    conflict: false,
  },
  'a word split off by one, where another paragraph was that word': {
    base: ['the', 'leaf how team the'],
    mine: ['to us the', 'leaf how team', 'the'],
    theirs: ['to us the', '', 'leaf how team the'],
    merged: ['to us the', '', 'leaf how team', 'the'],
    conflict: false,
  },
  'one addition that goes on further than the other': {
    base: ['Roses want sun.'],
    mine: ['Roses want sun. And water.'],
    theirs: ['Roses want sun. And water. And care.'],
    merged: ['Roses want sun. And water. And care.'],
    conflict: false,
  },
  'the only word of a paragraph typed on by one, words after it by the other': {
    base: ['Gard', 'Roses want sun.'],
    mine: ['Garden', 'Roses want sun.'],
    theirs: ['Gard paths in winter', 'Roses want sun.'],
    merged: ['Garden paths in winter', 'Roses want sun.'],
    conflict: false,
  },
  'the only word of a paragraph typed on by one, the paragraph divided by the other': {
    base: ['Gard'],
    mine: ['Garden paths'],
    theirs: ['Gard in winter', 'Roses want sun.'],
    merged: ['Garden paths in winter', 'Roses want sun.'],
    conflict: false,
  },
  'the end of a sentence split off, the same sentence written into an empty item': {
    base: ['- Prices start at nine euros and include delivery to your door.', '- We build.', '- '],
    mine: [
      '- Prices start at nine euros and include delivery to your door.',
      '- We build.',
      '- Prices start at nine euros and include delivery to your door.',
    ],
    theirs: [
      '- Prices start at nine euros and include',
      '- delivery to your door.',
      '- We build.',
      '- are in the workshop not it',
    ],
    merged: [
      '- Prices start at nine euros and include',
      '- delivery to your door.',
      '- We build.',
      '- are in the workshop not it Prices start at nine euros and include delivery to your door.',
    ],
    conflict: true,
  },
  'a sentence written into its like, the end of which the other split off': {
    base: [
      'of Prices start at nine euros and include delivery to your door.',
      'oak lamp garden to',
    ],
    mine: [
      'of Prices start at nine euros and Prices start at nine euros and include delivery to your door. include delivery to your door.',
    ],
    theirs: ['of Prices start the', '- include delivery to your door.'],
    merged: [
      'of Prices start the',
      '- include delivery to your door.',
      'of Prices start at nine euros and Prices start at nine euros and include delivery to your door. include delivery to your door.',
    ],
    conflict: true,
  },
  'a line joined to the one that the other removed, with common words after it': {
    base: ['on garden soil there week will lamp patio you', 'Roses'],
    mine: ['on garden soil there week will lamp patio you Roses clean', 'we border offer'],
    theirs: ['Roses team for you now for we'],
    merged: ['Roses team for you now for we clean', 'we border offer'],
    conflict: true,
  },
  'two additions in one place that end with the same common word': {
    base: ['the path for the'],
    mine: ['the path for the lamp of garden is the'],
    theirs: ['the path for the quality the'],
    merged: ['the path for the quality the lamp of garden is the'],
    conflict: true,
  },
  'an unfinished sentence changed by one, the same words typed again behind it by the other': {
    base: ['In autumn we prune. The garden is a place for the', 'End here.'],
    mine: ['In autumn metal the have is a place for the', 'End here.'],
    theirs: [
      'In autumn we prune. The garden is a place for the The soil was The',
      'The garden is a place for the loud and the dry.',
      'End here.',
    ],
    merged: [
      'In autumn we prune. The garden is a place for the The soil was The',
      'The garden is a place for the loud and the dry.',
      'In autumn metal the have is a place for the',
      'End here.',
    ],
    conflict: true,
  },
  'a word typed on by one, before what both added': {
    base: ['Roses want su'],
    mine: ['Roses want sunlight. And water.', 'Always.'],
    theirs: ['Roses want su And water.', 'Always.'],
    merged: ['Roses want sunlight. And water.', 'Always.', 'And water.', 'Always.'],
    conflict: false,
  },
  'new paragraphs in the same place': {
    base: ['Roses want sun.'],
    mine: ['Roses want sun.', 'Herbs do as well.'],
    theirs: ['Roses want sun.', 'Ferns like shade.'],
    merged: ['Roses want sun.', 'Ferns like shade.', 'Herbs do as well.'],
    conflict: true,
  },
  'a split against an edit': {
    base: ['Roses want sun. Ferns like shade.'],
    mine: ['Roses want sun.', 'Ferns like shade.'],
    theirs: ['Roses want sun. Ferns like deep shade.'],
    merged: ['Roses want sun.', 'Ferns like deep shade.'],
    conflict: false,
  },
  'a join against an edit': {
    base: ['Roses want sun.', 'Ferns like shade.'],
    mine: ['Roses want sun. Ferns like shade.'],
    theirs: ['Old roses want sun.', 'Ferns like deep shade.'],
    merged: ['Old roses want sun. Ferns like deep shade.'],
    conflict: false,
  },
  'paragraphs made a list against an edit and a new paragraph': {
    base: ['You need:', 'a spade', 'a can'],
    mine: ['You need:', '- a spade', '- a can'],
    theirs: ['You will need:', 'a spade', 'a watering can', 'and time'],
    merged: ['You will need:', '- a spade', '- a watering can', 'and time'],
    conflict: false,
  },
  'a list made paragraphs against an edit': {
    base: ['- a spade', '- a can'],
    mine: ['a spade', 'a can'],
    theirs: ['- a spade', '- a watering can'],
    merged: ['a spade', 'a watering can'],
    conflict: false,
  },
  'a numbered list against a new item': {
    base: ['- dig', '- plant'],
    mine: ['1. dig', '1. plant'],
    theirs: ['- dig', '- water', '- plant'],
    merged: ['1. dig', '1. water', '1. plant'],
    conflict: false,
  },
  'items of one list edited by each': {
    base: ['- a spade', '- a can', '- seeds'],
    mine: ['- a sharp spade', '- a can', '- seeds'],
    theirs: ['- a spade', '- a can', '- flower seeds', '- soil'],
    merged: ['- a sharp spade', '- a can', '- flower seeds', '- soil'],
    conflict: false,
  },
  'items put first in a list by both': {
    base: ['- a can'],
    mine: ['- gloves', '- a can'],
    theirs: ['- a spade', '- a can'],
    merged: ['- a spade', '- gloves', '- a can'],
    conflict: true,
  },
  'an item moved into a list of its own against an edit in it': {
    base: ['- tools', '- a spade', '- seeds'],
    mine: ['- tools', '  - a spade', '- seeds'],
    theirs: ['- tools', '- a sharp spade', '- seeds'],
    merged: ['- tools', '  - a sharp spade', '- seeds'],
    conflict: false,
  },
  'a quote put around what the other edits': {
    base: ['She said:', 'plant early.', 'We did.'],
    mine: ['She said:', '> plant early.', 'We did.'],
    theirs: ['She said:', 'plant very early.', 'We did.'],
    merged: ['She said:', '> plant very early.', 'We did.'],
    conflict: false,
  },
  'edits in one quote': {
    base: ['> plant early', '> water daily'],
    mine: ['> plant very early', '> water daily'],
    theirs: ['> plant early', '> water twice daily'],
    merged: ['> plant very early', '> water twice daily'],
    conflict: false,
  },
  'a paragraph deleted by both': {
    base: ['one', 'two', 'three'],
    mine: ['one', 'three'],
    theirs: ['one', 'three more'],
    merged: ['one', 'three more'],
    conflict: false,
  },
  'neighbours deleted by each': {
    base: ['one', 'two', 'three'],
    mine: ['one', 'three'],
    theirs: ['one', 'two'],
    merged: ['one'],
    conflict: false,
  },
  'paragraphs deleted against an edit in one of them': {
    base: ['Roses want sun.', 'Ferns like shade.', 'Herbs are easy.', 'The end.'],
    mine: ['The end.'],
    theirs: ['Roses want sun.', 'Ferns like deep shade.', 'Herbs are easy.', 'The end.'],
    merged: ['Ferns like deep shade.', 'The end.'],
    conflict: true,
  },
  'a paragraph deleted against a new one before it': {
    base: ['Roses want sun.', 'Ferns like shade.', 'The end.'],
    mine: ['Roses want much sun.', 'The end.'],
    theirs: ['Roses want sun.', 'Herbs are easy.', 'Ferns like shade.', 'The end.'],
    merged: ['Roses want much sun.', 'Herbs are easy.', 'The end.'],
    conflict: false,
  },
  'a paragraph deleted against words at its end': {
    base: ['Roses want sun.', 'Ferns like shade.', 'The end.'],
    mine: ['Roses want sun.', 'The end.'],
    theirs: ['Roses want sun.', 'Ferns like shade. Always.', 'The end.'],
    merged: ['Roses want sun.', 'Ferns like shade. Always.', 'The end.'],
    conflict: true,
  },
  'a list deleted against an edit in one item': {
    base: ['You need:', '- a spade', '- a can', 'The end.'],
    mine: ['You need:', 'The end.'],
    theirs: ['You need:', '- a spade', '- a big can', 'The end.'],
    merged: ['You need:', '- a big can', 'The end.'],
    conflict: true,
  },
  'a heading made of what the other edits': {
    base: ['Roses and ferns', 'Roses want sun.'],
    mine: ['# Roses and ferns', 'Roses want sun.'],
    theirs: ['Roses and old ferns', 'Roses want sun.'],
    merged: ['# Roses and old ferns', 'Roses want sun.'],
    conflict: false,
  },
  'marks against an edit and other marks': {
    base: ['Roses want sun and water.'],
    mine: ['Roses *want* *sun* and water.'],
    theirs: ['Roses want *sun* and much water.'],
    merged: ['Roses *want* *sun* and much water.'],
    conflict: false,
  },
  'a mark taken off stays off': {
    base: ['Roses *want* sun.'],
    mine: ['Roses want sun.'],
    theirs: ['Roses *want* sun and water.'],
    merged: ['Roses want sun and water.'],
    conflict: false,
  },
  'a hard break against an edit': {
    base: ['Roses want sun and water.'],
    mine: ['Roses want sun|and water.'],
    theirs: ['Roses want sun and much water.'],
    merged: ['Roses want sun|and much water.'],
    conflict: false,
  },
  'a rule against an edit beside it': {
    base: ['Roses want sun.', 'Ferns like shade.'],
    mine: ['Roses want sun.', '---', 'Ferns like shade.'],
    theirs: ['Roses want sun.', 'Ferns like deep shade.'],
    merged: ['Roses want sun.', '---', 'Ferns like deep shade.'],
    conflict: false,
  },
  'a paragraph moved away against an edit elsewhere': {
    base: ['Roses want a sunny place.', 'Ferns like shade.', 'Herbs are easy.'],
    mine: ['Ferns like shade.', 'Herbs are easy.', 'Roses want a sunny place.'],
    theirs: ['Roses want a sunny place.', 'Ferns like shade.', 'Herbs are very easy.'],
    merged: ['Ferns like shade.', 'Herbs are very easy.', 'Roses want a sunny place.'],
    conflict: false,
  },
  'a paragraph moved by one and edited by the other': {
    base: ['Roses want a sunny place.', 'Ferns like a shady place.', 'Herbs are easy to grow.'],
    mine: ['Ferns like a shady place.', 'Herbs are easy to grow.', 'Roses want a sunny place.'],
    theirs: [
      'Roses want a very sunny place.',
      'Ferns like a shady place.',
      'Herbs are easy to grow.',
    ],
    merged: [
      'Ferns like a shady place.',
      'Herbs are easy to grow.',
      'Roses want a very sunny place.',
    ],
    conflict: false,
  },
  'a paragraph moved to the end by one, its neighbour moved up by the other': {
    base: ['Roses want a sunny place.', 'Ferns like a shady place.', 'Herbs are easy.', 'The end.'],
    mine: ['Ferns like a shady place.', 'Herbs are easy.', 'The end.', 'Roses want a sunny place.'],
    theirs: [
      'Ferns like a shady place.',
      'Roses want a sunny place.',
      'Herbs are easy.',
      'The end.',
    ],
    merged: [
      'Ferns like a shady place.',
      'Herbs are easy.',
      'The end.',
      'Roses want a sunny place.',
    ],
    conflict: false,
  },
  'a paragraph moved by both, to two places': {
    base: ['Roses want sun.', 'Ferns like a shady place.', 'Herbs are easy to grow.', 'The end.'],
    mine: ['Ferns like a shady place.', 'Herbs are easy to grow.', 'The end.', 'Roses want sun.'],
    theirs: ['Ferns like a shady place.', 'Herbs are easy to grow.', 'Roses want sun.', 'The end.'],
    merged: ['Ferns like a shady place.', 'Herbs are easy to grow.', 'Roses want sun.', 'The end.'],
    conflict: false,
  },
  'a section moved by one, two paragraphs deleted by the other': {
    base: EIGHT,
    mine: [0, 5, 6, 7, 1, 2, 3, 4].map((at) => EIGHT[at] ?? ''),
    theirs: [1, 2, 3, 4, 6, 7].map((at) => EIGHT[at] ?? ''),
    merged: [6, 7, 1, 2, 3, 4].map((at) => EIGHT[at] ?? ''),
    conflict: true,
  },
  'a sentence added by both, in two places': {
    base: ['Our shop is in the old town.', 'We are open from nine to six.'],
    mine: ['Our shop is in the old town.', CALL, 'We are open from nine to six.'],
    theirs: ['Our shop is in the old town.', 'We are open from nine to six.', CALL],
    merged: ['Our shop is in the old town.', CALL, 'We are open from nine to six.', CALL],
    conflict: false,
  },
  'a sentence added by both to two paragraphs': {
    base: ['Our shop is in the old town.', 'We are open from nine to six.'],
    mine: [`Our shop is in the old town. ${CALL}`, 'We are open from nine to six.'],
    theirs: ['Our shop is in the old town.', `We are open from nine to six. ${CALL}`],
    merged: [`Our shop is in the old town. ${CALL}`, `We are open from nine to six. ${CALL}`],
    conflict: false,
  },
  'a sentence added by both around one word': {
    base: ['Welcome.'],
    mine: [`${CALL} Welcome.`],
    theirs: [`Welcome. ${CALL}`],
    merged: [`${CALL} Welcome. ${CALL}`],
    conflict: false,
  },
  'a paragraph rewritten by one, a word added to it by the other': {
    base: ['Roses want sun.', 'The end.'],
    mine: ['Roses want much sun.', 'The end.'],
    theirs: ['Ferns like shade', 'The end.'],
    merged: ['Roses want much sun.', 'Ferns like shade', 'The end.'],
    conflict: true,
  },
  'a paragraph moved by one, its neighbour joined to the one above by the other': {
    base: ['Roses want a sunny place.', 'Ferns like a shady place.', 'Herbs are easy to grow.'],
    mine: ['Ferns like a shady place.', 'Herbs are easy to grow.', 'Roses want a sunny place.'],
    theirs: ['Roses want a sunny place. Ferns like a shady place.', 'Herbs are easy to grow.'],
    merged: ['Herbs are easy to grow.', 'Roses want a sunny place. Ferns like a shady place.'],
    conflict: false,
  },
  'the first line of an item deleted, the item below edited': {
    base: ['- tools', '  - a spade'],
    mine: ['- a spade'],
    theirs: ['- tools', '  - a sharp spade'],
    merged: ['- a sharp spade'],
    conflict: false,
  },
  'a word typed next to its like where both divide the paragraph': {
    base: ['the price will be a roof'],
    mine: ['the price will be', 'be a roof'],
    theirs: ['the price will', 'be a roof'],
    merged: ['the price will', 'be', 'be a roof'],
    conflict: false,
  },
  'a common word typed alone where the other removed its like': {
    base: ['the roses need the sun today'],
    mine: ['the roses like the shade today'],
    theirs: ['the roses today'],
    merged: ['the roses like the shade today'],
    conflict: false,
  },
  'a word typed next to its like, in a line that one made a heading and both split off': {
    base: ['the price will be', 'a roof'],
    mine: ['the price will be', '# be a roof'],
    theirs: ['the price will', 'be a roof'],
    merged: ['the price will', 'be', '# be a roof'],
    conflict: false,
  },
  'a line of a common word removed by one, its neighbour moved by the other': {
    base: ['ja ja', 'long text here and more'],
    mine: ['long text here and more', 'ja ja'],
    theirs: ['long text here and more'],
    merged: ['long text here and more'],
    conflict: true,
  },
  'one sentence in two lines of one, at the beginning of a line of the other': {
    base: ['Roses.'],
    mine: ['Roses.', '- We build gardens here. Soon.'],
    theirs: ['Roses.', '- We build gardens here.', '- We build gardens here.'],
    merged: ['Roses.', '- We build gardens here. Soon.', '- We build gardens here.'],
    conflict: true,
  },
  'Japanese, which has no spaces': {
    base: ['薔薇は日光を好む'],
    mine: ['赤い薔薇は日光を好む'],
    theirs: ['薔薇は水と日光を好む'],
    merged: ['赤い薔薇は水と日光を好む'],
    conflict: false,
  },
}

describe('two users and one text:', { tags: ['@SY-11'] }, () => {
  test.each(Object.entries(STORIES))(
    '%s',
    { tags: ['@fault-61', '@fault-63'] },
    (_, { base, mine, theirs, typed = [], isByAnother = false, merged, conflict }) => {
      const outcome = merge3(documentOf(base), documentOf(mine), documentOf(theirs), {
        mine: typed,
        isByAnother,
      })
      expect(outcome.document.content.flatMap(linesOf)).toEqual(merged)
      expect(outcome.conflict).toBe(conflict)
    },
  )
})

const documentOf = (lines: string[]): ArticleDocument => ({ type: 'doc', content: blocksOf(lines) })

const BOXES = [
  { sign: '> ', type: 'blockquote' },
  { sign: '- ', type: 'bulletList' },
  { sign: '1. ', type: 'orderedList' },
]

function blocksOf([line, ...others]: string[]): DocumentNode[] {
  if (line === undefined) return []
  const box = BOXES.find(({ sign }) => line.startsWith(sign))
  if (!box) return [leafOf(line), ...blocksOf(others)]
  const { sign, type } = box
  const more = others.findIndex((other) => !isIn(other, sign))
  const inside = [line, ...others.slice(0, more < 0 ? others.length : more)]
  const after = more < 0 ? [] : others.slice(more)
  return [{ type, ...attrsOf(type), content: childrenOf(inside, sign) }, ...blocksOf(after)]
}

const isIn = (line: string, sign: string): boolean =>
  line.startsWith(sign) || (sign !== '> ' && line.startsWith(' '.repeat(sign.length)))

function childrenOf(lines: string[], sign: string): DocumentNode[] {
  if (sign === '> ') return blocksOf(lines.map((line) => line.slice(sign.length)))
  const items: string[][] = []
  for (const line of lines) {
    if (line.startsWith(sign)) items.push([])
    items.at(-1)?.push(line.slice(sign.length))
  }
  return items.map((item) => ({ type: 'listItem', content: blocksOf(item) }))
}

const attrsOf = (type: string) =>
  type === 'orderedList' ? { attrs: { start: 1, type: null } } : {}

function leafOf(line: string): DocumentNode {
  if (line === '---') return { type: 'horizontalRule' }
  if (!line.startsWith('# ')) return { type: 'paragraph', content: inlineOf(line) }
  return { type: 'heading', attrs: { level: 1 }, content: inlineOf(line.slice(2)) }
}

const inlineOf = (line: string): DocumentNode[] =>
  line
    .split(/(\*[^*]+\*|\|)/)
    .filter(Boolean)
    .map((run) => {
      if (run === '|') return { type: 'hardBreak' }
      if (!run.startsWith('*')) return { type: 'text', text: run }
      return { type: 'text', text: run.slice(1, -1), marks: [{ type: 'bold' }] }
    })

function linesOf(node: DocumentNode): string[] {
  const children = node.content ?? []
  if (node.type === 'horizontalRule') return ['---']
  if (node.type === 'heading') return [`# ${children.map(shown).join('')}`]
  if (node.type === 'paragraph') return [children.map(shown).join('')]
  const sign = BOXES.find(({ type }) => type === node.type)?.sign ?? ''
  if (sign === '> ') return children.flatMap(linesOf).map((line) => sign + line)
  return children.flatMap(({ content = [] }) =>
    content.flatMap(linesOf).map((line, at) => (at === 0 ? sign : ' '.repeat(sign.length)) + line),
  )
}

const shown = ({ type, text = '', marks }: DocumentNode): string =>
  type === 'hardBreak' ? '|' : marks ? `*${text}*` : text
