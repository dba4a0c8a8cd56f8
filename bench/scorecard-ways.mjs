import { createRequire } from 'node:module'
import { Paper } from 'yoastseo'

/** Other ways to know which keywords a text uses; each reads the whole text again at every key. */

/** One regular expression a keyword, as is written first. */
export function naive(keywords) {
  const tests = keywords.map((keyword) => {
    const escaped = keyword.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    return new RegExp(`(?<![\\p{L}\\p{M}\\p{N}_])${escaped}s?(?![\\p{L}\\p{M}\\p{N}_])`, 'iu')
  })
  return (text) => {
    const used = tests.filter((test) => test.test(text)).length
    return { words: text.split(/\s+/u).length, used }
  }
}

/** One automaton for all keywords over the characters of the text. */
export function ahoCorasick(keywords) {
  const root = { next: new Map(), fail: null, ends: [] }
  for (const [index, keyword] of keywords.entries()) {
    for (const form of [keyword.toLowerCase(), `${keyword.toLowerCase()}s`]) {
      let state = root
      for (const letter of form) {
        if (!state.next.has(letter)) {
          state.next.set(letter, { next: new Map(), fail: root, ends: [] })
        }
        state = state.next.get(letter)
      }
      state.ends.push({ index, length: form.length })
    }
  }
  const queue = [...root.next.values()]
  for (const state of queue) {
    for (const [letter, child] of state.next) {
      let fail = state.fail
      while (fail && !fail.next.has(letter)) fail = fail.fail
      child.fail = fail?.next.get(letter) ?? root
      child.ends.push(...child.fail.ends)
      queue.push(child)
    }
  }
  const isWord = (character) => character !== undefined && /[\p{L}\p{M}\p{N}_]/u.test(character)
  return (text) => {
    const lower = text.toLowerCase()
    const used = new Set()
    let state = root
    for (let at = 0; at < lower.length; at += 1) {
      const letter = lower[at]
      while (state !== root && !state.next.has(letter)) state = state.fail
      state = state.next.get(letter) ?? root
      for (const { index, length } of state.ends) {
        if (used.has(index) || isWord(lower[at + 1]) || isWord(lower[at - length])) continue
        used.add(index)
      }
    }
    return { words: text.split(/\s+/u).length, used: used.size }
  }
}

/** yoastseo on a single keyphrase: the text becomes its tree, the keyphrase is counted in it. */
export function yoast(keyword) {
  const require = createRequire(import.meta.url)
  const {
    default: Researcher,
  } = require('yoastseo/build/languageProcessing/languages/en/Researcher')
  const { default: LanguageProcessor } = require('yoastseo/build/parse/language/LanguageProcessor')
  const { build } = require('yoastseo/build/parse/build')
  return (text) => {
    const html = text
      .split('\n')
      .map((block) => `<p>${block}</p>`)
      .join('')
    const paper = new Paper(html, { keyword, locale: 'en_US' })
    const researcher = new Researcher(paper)
    paper.setTree(build(paper, new LanguageProcessor(researcher)))
    return researcher.getResearch('getKeyphraseCount').count
  }
}
