import { describe, expect, test } from '@jest/globals'
import { objectTokens } from './object-tokens.ts'
import { personTokens } from './person-tokens.ts'
import { splitPublishedName } from './published-names.ts'
import type { Token } from './tokens.ts'

const texts = (tokens: readonly Token[]) => tokens.map((token) => token.text)
const kinds = (tokens: readonly Token[]) => Object.fromEntries(tokens.map(({ text, kind }) => [text, kind]))

describe('personTokens', () => {
  test.each(['Abdulrahman', 'Abd al-Rahman', 'Abdur Rahman', 'Abdul-Rahman', 'Abdurrahman'])(
    '%s is a servant and the merciful',
    (name) => {
      expect(texts(personTokens(name)).filter((text) => text !== 'al')).toEqual(['abdul', 'rahman'])
    },
  )

  test('Abdullah is one name in one word, in two, and in Arabic', () => {
    for (const name of ['Abdullah', 'Abd Allah', 'Allah Abd', 'عبد الله', 'عبدالله']) {
      expect(texts(personTokens(name)).filter((text) => text !== 'al')).toEqual(['abdullah'])
    }
  })

  test('kunya, faith and God are words of their own', () => {
    expect(texts(personTokens('Abubakar'))).toEqual(['abu', 'bakar'])
    expect(texts(personTokens('Nureddine'))).toEqual(['nur', 'din'])
    expect(texts(personTokens('Rahmatullah'))).toEqual(['rahmat', 'allah'])
  })

  test('tells particles, titles, patronymics and initials', () => {
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

  test('a particle that stands alone is the name', () => {
    expect(kinds(personTokens('Ben'))).toEqual({ ben: 'name' })
  })

  test('nothing but marks gives no token', () => {
    expect(personTokens(' -- ’ . ')).toEqual([])
  })
})

describe('objectTokens', () => {
  test('legal forms in full and in short are one', () => {
    expect(texts(objectTokens('Gazprom Open Joint Stock Company'))).toEqual(['gazprom', 'jsc'])
    expect(texts(objectTokens('A.B.C. S.A.'))).toEqual(['abc', 'sa'])
  })

  test('what many organisations are called weighs less than a name', () => {
    const [name, generic, form] = objectTokens('Zarvan Trading LLC')
    expect(name?.base).toBeGreaterThan(generic?.base ?? 1)
    expect(generic?.base).toBeGreaterThan(form?.base ?? 1)
  })

  test('generic words are the name where there is no other', () => {
    expect(kinds(objectTokens('General Trading Ltd'))).toMatchObject({
      general: 'name',
      trading: 'name',
      ltd: 'legal_form',
    })
  })

  test('numbers in words are numbers', () => {
    expect(kinds(objectTokens('Third Brigade'))).toMatchObject({ '3': 'number' })
  })
})

describe('readingsOf', () => {
  test('a name with its original script behind it is two names', () => {
    expect(splitPublishedName('Jin Tiesan (金铁三)')).toEqual(['Jin Tiesan', '(金铁三)'])
  })

  test('what is said of a birth is not of the name', () => {
    expect(splitPublishedName('Wali Khairkhwa, born in Kandahar on 01 Jan. 1967')).toEqual(['Wali Khairkhwa'])
  })

  test('a name of one script is itself', () => {
    expect(splitPublishedName('Osborn Bornemann')).toEqual(['Osborn Bornemann'])
  })
})
