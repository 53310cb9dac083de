import { describe, expect, test } from '@jest/globals'
import { objectTokens } from './object-tokens.ts'
import { personTokens } from './person-tokens.ts'
import { splitPublishedName } from './published-names.ts'
import type { Token } from './tokens.ts'

const texts = (tokens: readonly Token[]) => tokens.map((token) => token.text)
const kinds = (tokens: readonly Token[]) => Object.fromEntries(tokens.map(({ text, kind }) => [text, kind]))

describe('personTokens', () => {
  test.each(['Abdulrahman', 'Abd al-Rahman', 'Abdur Rahman', 'Abdul-Rahman', 'Abdurrahman'])(
    '%s becomes the tokens abdul and rahman',
    (name) => {
      expect(texts(personTokens(name)).filter((text) => text !== 'al')).toEqual(['abdul', 'rahman'])
    },
  )

  test('Abdullah is one token, written as one word, as two, or in Arabic', () => {
    for (const name of ['Abdullah', 'Abd Allah', 'Allah Abd', 'عبد الله', 'عبدالله']) {
      expect(texts(personTokens(name)).filter((text) => text !== 'al')).toEqual(['abdullah'])
    }
  })

  test('abu, din and allah are separate tokens', () => {
    expect(texts(personTokens('Abubakar'))).toEqual(['abu', 'bakar'])
    expect(texts(personTokens('Nureddine'))).toEqual(['nur', 'din'])
    expect(texts(personTokens('Rahmatullah'))).toEqual(['rahmat', 'allah'])
  })

  test('distinguishes particles, titles, patronymics and initials', () => {
    expect(kinds(personTokens('Dr. Ludwig von Mises'))).toMatchObject({
      dr: 'honorific',
      von: 'particle',
      mises: 'name',
    })
    expect(kinds(personTokens('Oleg Alekseyevich P.'))).toMatchObject({
      alekseyevich: 'patronymic',
      p: 'initial',
    })
    expect(texts(personTokens('J.P. Morgan'))).toEqual(['j', 'p', 'morgan'])
  })

  test('a particle that is the whole name counts as a name', () => {
    expect(kinds(personTokens('Ben'))).toEqual({ ben: 'name' })
  })

  test('punctuation alone gives no token', () => {
    expect(personTokens(' -- ’ . ')).toEqual([])
  })
})

describe('objectTokens', () => {
  test('a legal form equals its abbreviation', () => {
    expect(texts(objectTokens('Gazprom Open Joint Stock Company'))).toEqual(['gazprom', 'jsc'])
    expect(texts(objectTokens('A.B.C. S.A.'))).toEqual(['abc', 'sa'])
  })

  test('a generic word weighs less than a name, and a legal form less than a generic word', () => {
    const [name, generic, form] = objectTokens('Zarvan Trading LLC')
    expect(name?.base).toBeGreaterThan(generic?.base ?? 1)
    expect(generic?.base).toBeGreaterThan(form?.base ?? 1)
  })

  test('generic words count as the name when there is no other word', () => {
    expect(kinds(objectTokens('General Trading Ltd'))).toMatchObject({
      general: 'name',
      trading: 'name',
      ltd: 'legal_form',
    })
  })

  test('number words become digits', () => {
    expect(kinds(objectTokens('Third Brigade'))).toMatchObject({ '3': 'number' })
  })
})

describe('splitPublishedName', () => {
  test('a name followed by its original script is two names', () => {
    expect(splitPublishedName('Jin Tiesan (金铁三)')).toEqual(['Jin Tiesan', '(金铁三)'])
  })

  test('birth details are not part of the name', () => {
    expect(splitPublishedName('Wali Khairkhwa, born in Kandahar on 01 Jan. 1967')).toEqual(['Wali Khairkhwa'])
  })

  test('a name in one script is unchanged', () => {
    expect(splitPublishedName('Osborn Bornemann')).toEqual(['Osborn Bornemann'])
  })
})
