import { describe, expect, it } from 'vitest'
import { readPeople } from './people-list.ts'

const read = (text: string) => {
  const list = readPeople(text)
  return list.ok
    ? list.people.map(({ name, email, client }) => `${name} | ${email} | ${client}`)
    : list.fault
}

describe('a pasted list of people', () => {
  it.each([
    ['commas', 'Marta Lind, marta@larkspur.example, Larkspur Gardens\nJo Ash,jo@ash.example'],
    ['cells', 'Marta Lind\tmarta@larkspur.example\tLarkspur Gardens\r\nJo Ash\tjo@ash.example\t'],
    ['semicolons', 'Marta Lind;marta@larkspur.example;Larkspur Gardens\nJo Ash;jo@ash.example'],
    [
      'the address first',
      'marta@larkspur.example,Marta Lind,Larkspur Gardens\njo@ash.example,Jo Ash',
    ],
    [
      'two cells of a name',
      'Marta,Lind,marta@larkspur.example,Larkspur Gardens\nJo,Ash,jo@ash.example',
    ],
    [
      'headers in another order',
      'Client,Last name,E-mail,Name\nLarkspur Gardens,,marta@larkspur.example,Marta Lind\n,,jo@ash.example,Jo Ash',
    ],
    [
      'addresses of a mail program',
      '"Marta Lind" <marta@larkspur.example>\tLarkspur Gardens\nJo Ash <jo@ash.example>',
    ],
    [
      'blank lines',
      '\nMarta Lind, marta@larkspur.example, Larkspur Gardens\n\n , \nJo Ash, jo@ash.example\n',
    ],
  ])('is read: %s', (_, text) => {
    expect(read(text)).toEqual([
      'Marta Lind | marta@larkspur.example | Larkspur Gardens',
      'Jo Ash | jo@ash.example | ',
    ])
  })

  it.each([
    ['Marta Lind', ['Marta Lind |  | ']],
    ['marta@larkspur.example', [' | marta@larkspur.example | ']],
    ['Lind, Marta', ['Lind Marta |  | ']],
    ['Name,E-mail\nMarta Lind', ['Marta Lind |  | ']],
    ['"Marta Lind, marta@larkspur.example', { kind: 'quote', row: 1 }],
    [' \n ', { kind: 'empty' }],
  ])('says what is missing: %s', (text, expected) => {
    expect(read(text)).toEqual(expected)
  })

  it('keeps each line, so that those which are left can be written back', () => {
    const list = readPeople('Marta Lind, marta@larkspur.example\nJo Ash, jo@ash')
    expect(list.ok && list.people.map(({ line }) => line)).toEqual([
      'Marta Lind, marta@larkspur.example',
      'Jo Ash, jo@ash',
    ])
  })
})
