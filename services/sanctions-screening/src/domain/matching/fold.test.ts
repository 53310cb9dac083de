import { describe, expect, test } from '@jest/globals'
import { abjadMark, foldText, hangulMark, hanMark } from './fold.ts'

const words = (text: string) => foldText(text).trim().split(/\s+/)

describe('foldText', () => {
  test('removes case, diacritics and compatibility forms', () => {
    expect(foldText('JÉRÔME Çelik Ørsted Łukasz Nguyễn')).toBe('jerome celik orsted lukasz nguyen')
    expect(foldText('Ｉｖａｎ')).toBe('ivan')
    expect(foldText('Weiß')).toBe(foldText('WEISS'))
  })

  test('folds composed and decomposed letters to the same text', () => {
    expect(foldText('Zoe\u0308')).toBe(foldText('Zoë'))
  })

  test('transliterates other alphabets', () => {
    expect(foldText('Юлия Хрущёва')).toBe('yuliya khrushcheva')
    expect(foldText('Αλέξης Τσίπρας')).toBe('alexis tsipras')
    expect(foldText('ბარაკ')).toMatch(/^barak/)
    expect(foldText('Բարակ Օբամա')).toBe('barak obama')
  })

  test('retains the long vowels of Arabic and Hebrew', () => {
    expect(words('جمال')).toEqual([`${abjadMark}jmal`])
    expect(words('مُحَمَّد')).toEqual(words('محمد'))
    expect(words('דוד')).toEqual([`${abjadMark}dud`])
  })

  test('transliterates Han and Hangul syllable by syllable', () => {
    expect(words('习近平')).toEqual([`${hanMark}xi`, `${hanMark}jin`, `${hanMark}ping`])
    expect(words('김정은')).toEqual([`${hangulMark}gim`, `${hangulMark}jeong`, `${hangulMark}eun`])
    expect(words('さくら')).toEqual(['sakura'])
  })
})
