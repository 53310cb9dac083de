import type { Page } from 'playwright-core'
import { heading } from './harness.ts'
import { inspect } from './inspect.ts'

/** The texts that a person reads, in the languages that the tests cover. */
export const texts = {
  en: {
    welcome: 'Verify your identity',
    start: 'Start',
    stay: 'Stay on this computer',
    consent: 'Before we start',
    agree: 'I agree and continue',
    choose: 'Choose your document',
    passport: 'Passport',
    goOn: 'Continue',
    prepare: 'Photo page of your passport',
    openCamera: 'Open the camera',
    takePhoto: 'Take the photo',
    checkPhoto: 'Can you read everything?',
    usePhoto: 'Use this photo',
    retake: 'Take it again',
    face: 'Now your face',
    checkFace: 'Is your face clear?',
    review: 'Everything is here',
    send: 'Send',
    country: 'Country that issued it',
  },
  ar: {
    welcome: 'تحقق من هويتك',
    start: 'ابدأ',
    stay: 'البقاء على هذا الحاسوب',
    consent: 'قبل أن نبدأ',
    agree: 'أوافق وأتابع',
    choose: 'اختر وثيقتك',
    passport: 'جواز سفر',
    goOn: 'متابعة',
    prepare: 'صفحة الصورة في جواز سفرك',
    openCamera: 'فتح الكاميرا',
    takePhoto: 'التقاط الصورة',
    checkPhoto: 'هل تستطيع قراءة كل شيء؟',
    usePhoto: 'استخدام هذه الصورة',
    retake: 'التقاطها من جديد',
    face: 'الآن وجهك',
    checkFace: 'هل وجهك واضح؟',
    review: 'كل شيء جاهز',
    send: 'إرسال',
    country: 'البلد الذي أصدرها',
  },
} as const
export type Language = keyof typeof texts

/** A person in front of the page: each method performs one step; with a name for `shots`, every page is inspected. */
export function personAt(page: Page, language: Language, shots: string | null) {
  const say = texts[language]
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const look = async (name: string) => {
    if (shots !== null) await inspect(page, `${shots}-${name}`)
  }
  const person = {
    say,
    press,
    look,
    begin: async (device: 'phone' | 'desktop') => {
      await heading(page, say.welcome)
      await look('1-welcome')
      await press(device === 'phone' ? say.start : say.stay)
    },
    consent: async () => {
      await heading(page, say.consent)
      await look('2-consent')
      await press(say.agree)
    },
    chooseDocument: async () => {
      await heading(page, say.choose)
      await page.getByLabel(say.country).selectOption('')
      await page.getByRole('radio', { name: say.passport, exact: true }).check()
      await look('4-choose')
      await press(say.goOn)
      await heading(page, say.prepare)
      await look('5-prepare')
    },
    /** `by`: the photo is taken automatically, or the person presses the shutter. */
    photograph: async (by: 'itself' | 'shutter') => {
      await press(say.openCamera)
      const shutter = page.getByRole('button', { name: say.takePhoto })
      await shutter.waitFor()
      if (by === 'shutter') {
        await page.locator('button.chip').click()
        await page.waitForSelector('button.shutter[aria-disabled="false"]')
        await look('6-camera')
        await shutter.click()
      }
      await heading(page, say.checkPhoto)
      await look('7-check')
      await press(say.usePhoto)
    },
    face: async () => {
      await heading(page, say.face, 60_000)
      await look('8-face')
      await press(say.start)
      // Inspected without a time limit, because no photo is taken automatically meanwhile.
      const chip = page.locator('button.chip')
      const held =
        shots !== null &&
        (await chip.click({ timeout: 5_000 }).then(
          () => true,
          () => false,
        ))
      await page.waitForSelector('button.shutter[aria-disabled="false"], .photo')
      if (held) await look('9-face-camera')
      await page
        .getByRole('button', { name: say.takePhoto })
        .click({ timeout: 2_000 })
        .catch(() => {})
      await heading(page, say.checkFace)
      await look('10-face-check')
      await press(say.usePhoto)
    },
    submit: async () => {
      await heading(page, say.review, 60_000)
      await look('11-review')
      await press(say.send)
    },
    result: async (title: string | RegExp) => {
      await heading(page, title, 60_000)
      await look('13-result')
    },
  }
  return person
}
