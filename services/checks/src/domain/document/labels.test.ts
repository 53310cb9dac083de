import { describe, expect, test } from '@jest/globals'
import { findLabel } from './labels.ts'

describe('findLabel', () => {
  test.each([
    ['Surname / Nom', 'surname'],
    ['Sumname/Norr', 'surname'],
    ['Glven names/Prenoms', 'given_names'],
    ['Date of birth/Date de naissance', 'birth_date'],
    ['Deto of birth/Cate de nalssarce', 'birth_date'],
    ['Fecha de Nacimiento', 'birth_date'],
    ['Date of issue/Date de délivrance', 'issue_date'],
    ['Date of expiry', 'expiry_date'],
    ['Passport No./N° de passeport', 'document_number'],
    ['Document No.', 'document_number'],
    ['Geschlecht', 'sex'],
    ['Docum', 'document_number'],
    ['Given names Prenoms', 'given_names'],
  ])('recognises %p as %s', (text, field) => {
    expect(findLabel(text)?.field).toBe(field)
  })

  test.each(['MUSTERMANN', 'C11T002JM', '12 AUG 1996', 'REPUBLIC OF D', 'F', 'ANNA MARIA', ''])(
    'recognises no label in %p',
    (text) => {
      expect(findLabel(text)).toBeNull()
    },
  )

  test('returns the value on the same line as its label', () => {
    expect(findLabel('DOB: 01/02/1990')).toEqual({ field: 'birth_date', rest: '01/02/1990' })
    expect(findLabel('Date of birth 01 FEB 1990')).toEqual({ field: 'birth_date', rest: '01 FEB 1990' })
    expect(findLabel('4b. 01.02.2030')).toEqual({ field: 'expiry_date', rest: '01.02.2030' })
  })
})
