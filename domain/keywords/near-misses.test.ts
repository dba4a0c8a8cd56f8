import { describe, expect, it } from 'vitest'
import { type NearKind, type NearMiss, nearMisses } from './near-misses.ts'
import { NEAR_KINDS } from './near-words.ts'

/**
 * Written by hand: keyword, text with its near words in brackets, and what replaces them (or the words between them).
 * `¶` is the end of a block and `⏎` a line break.
 */
const NEAR: Record<NearKind, readonly string[]> = {
  hyphen: [
    'warm white | [Warm-white] lamps are kind to moths. | Warm white',
    'low voltage | Every [low-voltage] kit has a transformer. | low voltage',
    'garden path | a [garden-path] lamp | garden path',
    'path light | The [PATH-LIGHT] range | PATH LIGHT',
    'wellbeing | Gardens and [well-being] | wellbeing',
    'wifi | over [Wi-Fi] or cable | Wifi',
    'state of the art | a [state-of-the-art] lamp | state of the art',
    'colour temperature | the [colour‐temperature] chart | colour temperature',
    'dusk sensor | two [dusk-sensors] by the gate | dusk sensors',
    'beam angle | a narrow [beam‑angle] | beam angle',
    'solar light | [solar－light] from the box | solar light',
    'e mail | Send an [e-mail] today | e mail',
    'long term care | [long-term care] at home | long term care',
    'step by step | a [step-by-step] guide | step by step',
    'садовая дорожка | лампа для [садовая-дорожка] | садовая дорожка',
    'интернет магазин | [Интернет-магазин] открыт | Интернет магазин',
    'λευκο φως | το [λευκό-φως] | λευκο φως',
    'כתב יד | זה [כתב־יד] ישן | כתב יד',
    'نور دافئ | مصباح [نور-دافئ] | نور دافئ',
    '花园照明 | 我们的[花园-照明]很好 | 花园照明',
    '12 v | a [12-V] cable | 12 V',
  ],
  'no hyphen': [
    'well-being | [Well being] begins outside. | Well-being',
    'well-being | for your [wellbeing] | well-being',
    'low-voltage | a [low voltage] cable | low-voltage',
    'warm-white | WE SELL [WARM WHITE] | WARM-WHITE',
    'step-by-step | a guide, [step by step] | step-by-step',
    'e-mail | an [email] to the agency | e-mail',
    'wi-fi | The [WiFi] reaches the shed | Wi-fi',
    'do-it-yourself | [Do it yourself] kits | Do-it-yourself',
    'anti-glare | an [antiglare] shield | anti-glare',
    'energy-saving | [energy–saving] lamps | energy-saving',
    'plug-in | two [plugins] for the wall | plug-ins',
    'long-lasting | a [long\u00a0lasting] lamp | long-lasting',
    'well-lit path | a [well lit path] | well-lit path',
    'интернет-магазин | наш [интернет магазин] | интернет-магазин',
    'כתב-יד | זה [כתב יד] ישן | כתב-יד',
    'ελληνο-γαλλικός | ο [Ελληνογαλλικός] κήπος | Ελληνο-γαλλικός',
  ],
  apostrophe: [
    'farmers market | the [farmer’s market] in town | farmers market',
    'farmers market | A [Farmers’ Market] | Farmers Market',
    "womens shoes | the [women's shoes] | womens shoes",
    'rock n roll | it is [rock ’n roll] | rock n roll',
    'oclock | ten [o’clock] | oclock',
    'dont | We [don’t] dig | dont',
    'dogs breakfast | a [dog`s breakfast] | dogs breakfast',
    'gardens | the [garden’s] wall | ',
    'obriens | we met [O’Briens] | Obriens',
    'lété | pendant [l’été] | lété',
    'mens wear | [MEN’S WEAR] | MENS WEAR',
    'пять | она [п’ять] раз | пять',
  ],
  'no apostrophe': [
    "writer's block | A cure for [writers block] | writer's block",
    "women's shoes | [Womens shoes] on sale | Women's shoes",
    "don't | We [dont] dig | don't",
    "valentine's day | [VALENTINES DAY] | VALENTINE'S DAY",
    "rock 'n' roll | it is [rock n roll] | rock 'n' roll",
    "o'clock | at ten [oclock] | o'clock",
    "gardener's world | the [gardeners world] | gardener's world",
    "cats' home | the [cats home] | cats' home",
    "l'été | tout [lété] | l'été",
    "men's wear | old [men s wear] | men's wear",
    "п'ять | їх [пять] | п'ять",
    "ג'ירפה | ראינו [גירפה] | ג'ירפה",
  ],
  'one word': [
    'garden lighting | on the box of any [gardenlighting] kit | garden lighting',
    'warm white | [Warmwhite] bulbs | Warm white',
    'path light | a [pathlight] | path light',
    'path light | two [pathlights] | path lights',
    'web site | our [website] | web site',
    'a lot | It is [alot] of light | a lot',
    'every day | We water [everyday] | every day',
    'data base | one [database] | data base',
    'low voltage lamp | a [lowvoltage lamp] | low voltage lamp',
    'moon light | [MOONLIGHT] | MOON LIGHT',
    'garden lighting | a [garden_lighting] file | garden lighting',
    'garden lighting | tagged #[GardenLighting] | Garden lighting',
    '12 volt | a [12volt] cable | 12 volt',
    "rock 'n' roll | it is [rock'n'roll] | rock 'n' roll",
    'node js | we use [nodejs] here | node js',
    'садовый свет | это [садовыйсвет] | садовый свет',
    'κήπος φως | το [κηποςφως] | κήπος φως',
    'אור גן | זה [אורגן] | אור גן',
    'نور حديقة | هذا [نورحديقة] | نور حديقة',
    '花园 照明 | 我们的[花园照明]很好 | 花园 照明',
    'ガーデン ライト | 庭の[ガーデンライト]です | ガーデン ライト',
    '정원 조명 | 새 [정원조명] 입니다 | 정원 조명',
    'สวน ไฟ | มี[สวนไฟ]มาก | สวน ไฟ',
  ],
  'two words': [
    'gardenlighting | good [garden lighting] | gardenlighting',
    'website | our [web site] | website',
    'downlight | three [down lights] | downlights',
    'Pathlight | a [Path light] | Pathlight',
    'database | [Data Base] of plants | Database',
    'moonlighting | [moon lighting] in trees | moonlighting',
    'doorstep | on the [door step] | doorstep',
    'nodejs | it runs on [node js] | nodejs',
    'smartphone | by [SMART PHONE] | SMARTPHONE',
    'weekend project | a [week end project] | weekend project',
    'Gartenlampe | eine [Garten Lampe] | Gartenlampe',
    'fußweg | der [Fuß Weg] | Fußweg',
    'gardenpath | a [gar\u00adden path] | gardenpath',
    'супермаркет | новый [супер маркет] | супермаркет',
    'ηλεκτροφωτισμός | ο [ηλεκτρο φωτισμός] | ηλεκτροφωτισμός',
    'אורגן | זה [אור גן] | אורגן',
    'عبدالله | قال [عبد الله] | عبدالله',
    '花园照明 | 我们的[花园 照明]很好 | 花园照明',
  ],
  'line break': [
    'garden path | the [garden⏎path] | garden path',
    'warm white | [Warm⏎white] | Warm white',
    'colour temperature | a [colour ⏎ temperature] | colour temperature',
    'low voltage lamp | a [low voltage⏎lamp] | low voltage lamp',
    'well-being | your [well-⏎being] | well-being',
    'bollard | a [bol-⏎lard] | bollard',
    'garden path | two [garden⏎paths] | garden paths',
    'new york | [New⏎⏎York] | New York',
    'садовая лампа | одна [садовая⏎лампа] | садовая лампа',
    'φως κήπου | το [φως⏎κήπου] | φως κήπου',
    'גינה יפה | זו [גינה⏎יפה] | גינה יפה',
    'حديقة جميلة | هذه [حديقة⏎جميلة] | حديقة جميلة',
    '花园照明 | 我们的[花园⏎照明]很好 | 花园照明',
    '정원 조명 | 새 [정원⏎조명] | 정원 조명',
  ],
  accent: [
    'café | the [cafe] by the gate | café',
    'café | two [Cafes] | Cafés',
    'cafe | the [Café] by the gate | Cafe',
    'crème brûlée | [creme brulee] for two | crème brûlée',
    'naïve | a [naive] plan | naïve',
    'jalapeño | a [JALAPENO] | JALAPEÑO',
    'über uns | Alles [uber uns] | über uns',
    'façade | the [facade] at night | façade',
    'résumé | her [resumé] | résumé',
    'smørrebrød | we ate [smorrebrod] | smørrebrød',
    'łódź | in [Lodz] | Łódź',
    'são paulo | in [Sao Paulo] | São Paulo',
    'sao paulo | in [São Paulo] | Sao Paulo',
    'señora | la [senora] | señora',
    'à la carte | meals [a la carte] | à la carte',
    'đà nẵng | to [Da Nang] | Đà Nẵng',
    'ёлка | наша [елка] | ёлка',
    'елка | наша [Ёлка] | Елка',
    'замок света | старый [за\u0301мок света] | замок света',
    'cafe\u0301 noir | un [cafe noir] | cafe\u0301 noir',
  ],
  'other form': [
    'garden lighting | Most [garden lights] are too bright. |',
    'garden lighting | a garden lit, a [garden lighted] |',
    'bollards | one [bollard] by the gate |',
    'cats | one [cat] |',
    'box | two [boxes] |',
    'story | [Stories] of light |',
    'stories | one [story] |',
    'torch | with [torches] |',
    'shelf | three [shelves] |',
    'knives | a [knife] |',
    'woman | six [women] |',
    'garden gnome | [gardens gnome] |',
    'garden wall | the [garden’s wall] |',
    'garden wall | the [gardens’ wall] |',
    'plan a garden | [planning a garden] |',
    'planting | we [planted] |',
    'landscaping | a [landscape] |',
    'landscape | it was [landscaped] |',
    'potato | five [potatoes] |',
    'cactus | four [cacti] |',
    'medium | the [media] |',
    'bureau | deux [bureaux] |',
    'craftsman | two [craftsmen] |',
    'tooth | white [teeth] |',
    'path lights | a [path light] at the gate |',
    'install lamps | [installing lamps] |',
    'lampe | zwei [Lampen] |',
    'лампа | две [лампы] |',
    'садовый | в [садовом] домике |',
    'садовая дорожка | на [садовой дорожке] |',
    'город | в [городе] |',
    'фонарь | свет [фонаря] |',
    'вулиця | на [вулиці] |',
    'λάμπα | δύο [λάμπες] |',
    'διάδρομος | του [διαδρόμου] |',
    'גינה יפה | ראינו [הגינה יפה] |',
    'מנורה | שתי [מנורות] |',
    'מצפן | שני [מצפנים] |',
    'مصباح | رأيت [المصباح] |',
    'سيارة | خمس [سيارات] |',
    '정원 | 나는 [정원을] 본다 |',
  ],
  'one letter': [
    'bollard | one [bolard] by | bollard',
    'bollard | two [bolards] by | bollards',
    'garden path | a [gardan path] | garden path',
    'colour temperature | the [color temperature] | colour temperature',
    'lighting | [Lightning] for gardens | Lighting',
    'transformer | a [transfomer] | transformer',
    'accommodation | good [ACCOMODATION] | ACCOMMODATION',
    'definitely | yes, [definately] | definitely',
    'grey terrace | the [grey terace] | grey terrace',
    'installation | an installatiom, an [instalation] | installation',
    'дорожка | эта [дарожка] | дорожка',
    'фонарик | мой [фанарик] | фонарик',
    'φωτισμός | ο [φωτησμός] | φωτισμός',
    'תאורה חיצונית | זו [תאורה חצונית] | תאורה חיצונית',
    'مصابيح حديقة | هذه [مصابح حديقة] | مصابيح حديقة',
  ],
  'other order': [
    'warm white | [white, warm] lamps |',
    'warm white | [White warm] lamps |',
    'garden light | [lights garden] |',
    'garden path light | [path garden light] |',
    'lamp post | a [post lamp] |',
    'path light | the [light (path] |',
    'low voltage cable | a [cable low voltage] |',
    'well-lit path | a [path well-lit] |',
    "writer's block | the [block writer's] |",
    'дорожка сада | [сада дорожка] |',
    'φως κήπου | [κήπου φως] |',
    'גינה יפה | זו [יפה גינה] |',
    'حديقة جميلة | هذه [جميلة حديقة] |',
    '花园 照明 | 我们的[照明花园]很好 |',
    '정원 조명 | 새 [조명 정원] |',
  ],
  'other order, word between': [
    'garden lighting | [Lighting a garden] is mostly leaving lamps out |  a',
    'warm white | a [white and warm] lamp | and',
    'path light | the [light by-the-way path] | by-the-way',
    'garden path | the [path your garden] has | your',
    'garden path lamp | the [lamp path the garden] | the',
    'дорожка сада | [сада наша дорожка] | наша',
    'φως κήπου | του [κήπου το φως] | το',
    'גינה יפה | זו [יפה מאוד גינה] | מאוד',
    '花园 照明 | 用[照明的花园]很好 | 的',
  ],
  'words between': [
    'garden lighting | a [garden path lighting] kit | path',
    'garden path | a [garden and its path] | and, its',
    'garden path | the [Garden “gravel” path] | gravel',
    'garden path | a [garden well-lit path] | well-lit',
    'garden path | one [garden neighbour’s path] | neighbour’s',
    'warm white | warm, not white; [warm or white] | or',
    'path light | three [path of lights] | of',
    'low voltage garden lamp | a [low voltage black garden lamp] | black',
    'low voltage garden lamp | a [low new voltage garden old lamp] | new, old',
    'tree of life | a [tree full of life] | full',
    'well-lit path | a [well-lit stone path] | stone',
    'садовая дорожка | [садовая узкая дорожка] | узкая',
    'φως κήπου | το [φως του κήπου] | του',
    'גינה יפה | זו [גינה מאוד יפה] | מאוד',
    'حديقة جميلة | هذه [حديقة صغيرة جميلة] | صغيرة',
    '花园 照明 | 我们[花园的照明]很好 | 的',
    '花园 照明 | 我们[花园里的照明]很好 | 里, 的',
    '정원 조명 | 새 [정원 큰 조명] | 큰',
  ],
  'two paragraphs': [
    'garden path | We made a [garden]¶[path] of stone |',
    'garden path | A [garden]¶[Paths] of stone |',
    'garden path | A [garden]¶¶[path] |',
    'low voltage lamp | a [low voltage]¶[lamp] |',
    'low voltage lamp | a [low]¶[voltage lamp] |',
    'well-being | our [well]-¶[being] |',
    'new york | to [New]¶ [York] |',
    'садовая дорожка | наша [садовая]¶[дорожка] |',
    'φως κήπου | το [φως]¶[κήπου] |',
    'גינה יפה | זו [גינה]¶[יפה] |',
    'حديقة جميلة | هذه [حديقة]¶[جميلة] |',
    '花园照明 | 我们的[花园]¶[照明]很好 |',
    '정원 조명 | 새 [정원]¶[조명] |',
  ],
}

/** Keyword and a text that it is not nearly in. */
const NOT_NEAR: readonly string[] = [
  // The place counts.
  'garden path | the garden path',
  'garden path | two garden paths, a garden, path',
  'garden path | a “garden” path',
  'warm white | WARM\u00a0WHITE',
  'café | the cafe\u0301s',
  'bollard | the bollard’s top',
  'nodejs | node.js',
  '花园 | 我的花园',
  'well-being | well‑being',
  'garden path | the garden garden path',
  'path | the path-finder',
  // Another word.
  'cat | concatenate',
  'garden | warden',
  'garden | harden',
  'lights | nights',
  'lamp | camp',
  'path | bath',
  'news | something new',
  'goods | a good lamp',
  'evening | even better',
  'stocking | in stock',
  'flower | rivers flow',
  'matter | matting',
  'corner | corn',
  'late | later',
  'plane | a plan',
  'caste | a cast',
  'hope | a hop',
  'cafe | two caves',
  'light | alight',
  'thé | the lamp',
  'là | la lampe',
  'even | evening',
  'their | there',
  'model 1234567 | model 1234568',
  '1234567 | 1234568',
  'йод | иод',
  'море | мора',
  'только | столько',
  'κήπος | κάπος',
  'ספר | מספר',
  'بيت | البيت',
  'がき | かき',
  '花園 | 花园',
  '东京 | 京东',
  '花园照明 | 花园的照明',
  '花园照明 | 照明花园',
  // Too short or two differences.
  'area | there are a few',
  'into | come in to eat',
  'were | we’re here',
  'its | it’s late',
  'well | we’ll see',
  'grey | gray',
  'fibre | fiber',
  'transformer | transfommar',
  'warm white | Warm-whyte',
  'warm white lamp | warm-white lamplight',
  'low voltage lamp | a low-voltagelamp',
  'garden lighting | lights in a garden',
  'crème brûlée | creme-brulee',
  'gardenpath | gar den path',
  '花园 | 花 园',
  '花园 | 花\n园',
  '花园 | 花¶园',
  // The end of a sentence, or words that do not belong together.
  'path garden | in the garden. Path lights',
  'garden light | A light? Garden gnomes',
  'garden light | light: garden',
  'garden path | a garden. The path',
  'garden path | the garden, the path',
  'garden path | a garden; its path',
  'garden path | garden – a path',
  'garden path | the garden.A path',
  'green and brown | green, brown and grey',
  'well-being | all is well. Being here',
  'well-being | all is well.Being here',
  'well-being | well, being here',
  'well-being | all is well – being here',
  'warm white | warm - white',
  'warm white | warm, -white',
  'start | open start.ts and star.ts',
  'garden path | a garden of one long path',
  'garden path lamp | the lamp at a path of the garden',
  'garden path | the path to a garden',
  'garden path | a garden way-path',
  'lit garden | garden well-lit',
  'path light | light-box path',
  'garden lit | a well-lit garden',
  'path garden | a garden path-finder',
  'garden lighting | in the garden, lights',
  'garden lighting | ‘garden’ lighted',
  'garden path | the ‘garden’ path',
  'garden path | a garden.¶Path lights',
  'garden path | a garden¶“Path” lights',
  'garden path | a garden¶Lamp¶path',
  'garden path | the garden¶a path',
  'garden path | path¶garden',
  "writer's block | the writer¶s block",
  'bollard | bol¶lard',
  'садовая дорожка | садовая. Дорожка узкая и садовая, но дорожка',
  'φως κήπου | φως; ο κήπος του κήπου',
  'גינה יפה | גינה. זה יפה',
  'حديقة جميلة | حديقة؟ هي جميلة',
  '花园 照明 | 花园。很好的照明',
  '정원 조명 | 정원. 큰 조명',
  // Nothing.
  'garden path | ',
  'garden path | the lamp by the gate',
  '★ | a ★ b',
  ' | text',
]

type Row = { kind: NearKind; keyword: string; written: string; wanted: string }

const ROWS: Row[] = NEAR_KINDS.flatMap((kind) =>
  NEAR[kind].map((line): Row => {
    const [keyword = '', written = '', wanted = ''] = line.split('|').map((part) => part.trim())
    return { kind, keyword, written: written.replaceAll('⏎', '\n'), wanted }
  }),
)

const textsOf = (written: string): string[] => written.replace(/[[\]]/g, '').split('¶')
const bracketed = (written: string): string[] =>
  written
    .split('¶')
    .flatMap((text) => [...text.matchAll(/\[(.*?)\]/gs)].map(([, near = '']) => near))
const written = (texts: readonly string[], { ranges }: NearMiss): string[] =>
  ranges.map(({ block, from, to }) => texts[block]?.slice(from, to) ?? '')

describe('a near miss', () => {
  it('is shown by at least 200 of all kinds', () => {
    expect(ROWS.length).toBeGreaterThanOrEqual(200)
  })

  it.each(ROWS)('$kind: $keyword in $written', { tags: ['@SC-22', '@Q40', '@Q41'] }, (row) => {
    const texts = textsOf(row.written)
    const found = nearMisses(texts, row.keyword)
    const isBetween = row.kind.includes('between')
    expect(found.map((near) => [near.kind, ...written(texts, near)])).toEqual([
      [row.kind, ...bracketed(row.written)],
    ])
    expect(found.map(({ between }) => between.join(', '))).toEqual([isBetween ? row.wanted : ''])
    expect(found.map(({ replacement }) => replacement ?? '')).toEqual([isBetween ? '' : row.wanted])
  })
})

describe('no near miss', () => {
  it.each(NOT_NEAR.map((line) => line.split('|').map((part) => part.trim())))(
    '%s: %s',
    {
      tags: ['@SC-22', '@Q40', '@Q41'],
    },
    (keyword = '', text = '') => {
      const texts = textsOf(text)
      expect(
        nearMisses(texts, keyword).map((near) => [near.kind, ...written(texts, near)]),
      ).toEqual([])
    },
  )
})

describe('several near misses', () => {
  const kindsIn = (keyword: string, ...texts: string[]) =>
    nearMisses(texts, keyword).map((near) => `${near.kind}: ${written(texts, near).join(' ¶ ')}`)

  it('are in the order of the text, without places that count', { tags: ['@SC-22'] }, () => {
    expect(
      kindsIn(
        'garden path',
        'A path in the garden-path. Garden paths and gardenpaths.',
        'The gardens path, or a garden',
        'path. Path garden and gârden path',
      ),
    ).toEqual([
      'hyphen: garden-path',
      'one word: gardenpaths',
      'other form: gardens path',
      'two paragraphs: garden ¶ path',
      'other order: Path garden',
      'accent: gârden path',
    ])
  })

  it('have the best reason where two are possible, and the fewest words between', {
    tags: ['@SC-22'],
  }, () => {
    expect(kindsIn('garden path', 'path garden-path garden')).toEqual(['hyphen: garden-path'])
    expect(kindsIn('garden path', 'garden a gravel b path')).toEqual([])
    expect(kindsIn('garden path', 'garden old garden a path')).toEqual([
      'words between: garden a path',
    ])
    expect(kindsIn('path light', 'light path a light')).toEqual(['other order: light path'])
  })

  it('of a long text with one keyword are found where they are', { tags: ['@SC-22'] }, () => {
    const texts = Array.from(
      { length: 500 },
      (_, at) => `${'word '.repeat(40)}number${at} warm-white`,
    )
    const found = nearMisses(texts, 'warm white')
    expect(found.map(({ ranges }) => ranges[0]?.block)).toEqual([...texts.keys()])
    expect(found.every((near) => written(texts, near).join() === 'warm-white')).toBe(true)
  })
})
