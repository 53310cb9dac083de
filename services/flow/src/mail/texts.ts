import type { FlowLanguage } from '@kyc/common'

/** Texts of the code e-mail in each language of the flow. `{app}` is the client's name, `{code}` the code. */
export type MailTexts = { subject: string; intro: string; lifetime: string; ignore: string }

export const mailTexts: Record<FlowLanguage, MailTexts> = {
  en: {
    subject: '{code} is your verification code',
    intro: 'Your verification code for {app} is',
    lifetime: 'It works for 10 minutes.',
    ignore: 'If you did not ask for it, ignore this message and give the code to nobody.',
  },
  hi: {
    subject: '{code} आपका सत्यापन कोड है',
    intro: '{app} के लिए आपका सत्यापन कोड है',
    lifetime: 'यह 10 मिनट तक काम करता है।',
    ignore: 'अगर आपने यह कोड नहीं माँगा है, तो इस संदेश को अनदेखा करें और कोड किसी को न दें।',
  },
  es: {
    subject: '{code} es tu código de verificación',
    intro: 'Tu código de verificación para {app} es',
    lifetime: 'Es válido durante 10 minutos.',
    ignore: 'Si no lo has pedido, ignora este mensaje y no des el código a nadie.',
  },
  fr: {
    subject: '{code} est votre code de vérification',
    intro: 'Votre code de vérification pour {app} est',
    lifetime: 'Il est valable 10 minutes.',
    ignore: "Si vous ne l'avez pas demandé, ignorez ce message et ne donnez le code à personne.",
  },
  de: {
    subject: '{code} ist Ihr Bestätigungscode',
    intro: 'Ihr Bestätigungscode für {app} lautet',
    lifetime: 'Er gilt 10 Minuten lang.',
    ignore:
      'Wenn Sie ihn nicht angefordert haben, ignorieren Sie diese Nachricht und geben Sie den Code niemandem.',
  },
  pt: {
    subject: '{code} é o seu código de verificação',
    intro: 'O seu código de verificação para {app} é',
    lifetime: 'É válido durante 10 minutos.',
    ignore: 'Se não o pediu, ignore esta mensagem e não dê o código a ninguém.',
  },
  ar: {
    subject: '{code} هو رمز التحقق الخاص بك',
    intro: 'رمز التحقق الخاص بك لدى {app} هو',
    lifetime: 'الرمز صالح لمدة 10 دقائق.',
    ignore: 'إذا لم تطلب هذا الرمز فتجاهل هذه الرسالة ولا تعطه لأحد.',
  },
}

/** The language of `locale`, or English if there is no translation. */
export function mailLanguage(locale: string): FlowLanguage {
  const language = locale.split('-')[0] ?? ''
  return Object.hasOwn(mailTexts, language) ? (language as FlowLanguage) : 'en'
}
