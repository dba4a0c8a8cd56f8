import { nodeInputRule, textblockTypeInputRule, wrappingInputRule } from '@tiptap/core'
import { Blockquote as AnyBlockquote } from '@tiptap/extension-blockquote'
import { Heading as AnyHeading } from '@tiptap/extension-heading'
import { HorizontalRule as AnyHorizontalRule } from '@tiptap/extension-horizontal-rule'
import { BulletList as AnyBulletList } from '@tiptap/extension-list/bullet-list'

/**
 * Input rules for blocks: signs at the start of a line, followed by a space. Enter after a dash keeps the dash, and
 * "___" is a blank to fill in.
 */

export const Blockquote = AnyBlockquote.extend({
  addInputRules() {
    return [wrappingInputRule({ find: /^> $/, type: this.type })]
  },
})

export const BulletList = AnyBulletList.extend({
  addInputRules() {
    return [wrappingInputRule({ find: /^[-+*] $/, type: this.type })]
  },
})

export const Heading = AnyHeading.extend({
  addInputRules() {
    return [
      textblockTypeInputRule({
        find: /^(#{1,6}) $/,
        type: this.type,
        getAttributes: ([, signs = '']) => ({ level: signs.length }),
      }),
    ]
  },
})

export const HorizontalRule = AnyHorizontalRule.extend({
  addInputRules() {
    return [nodeInputRule({ find: /^---$/, type: this.type })]
  },
})
