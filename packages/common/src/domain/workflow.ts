import { z } from 'zod'
import { checkKinds } from './checks.ts'
import { httpUrl } from './http-url.ts'
import { documentType } from './identity.ts'
import { workflowId } from './ids.ts'
import { timestamp } from './timestamp.ts'

/** The consequence of a finding: none, manual review, or a decline. */
export const action = z.enum(['none', 'review', 'decline'])
export type Action = z.infer<typeof action>

const unit = z.number().min(0).max(1)
/**
 * Configs stored before {@link httpUrl} was enforced must stay readable; {@link submittedWorkflowConfig} enforces it.
 */
const storedUrl = z
  .string()
  .max(2048)
  .refine((text) => URL.canParse(text), 'must be a URL')
  .meta({ format: 'uri' })
const alpha3 = z.string().regex(/^[A-Z]{3}$/, 'must be an ISO alpha-3 code')

/** The languages of the hosted flow and its emails. */
export const flowLanguages = ['en', 'hi', 'es', 'fr', 'de', 'pt', 'ar'] as const
export type FlowLanguage = (typeof flowLanguages)[number]

const defaultConsentText: Record<FlowLanguage, string> = {
  en: 'I agree that my identity document and pictures of my face are processed to verify my identity, including a biometric comparison of my face with the photo on my document.',
  hi: 'मैं सहमत हूँ कि मेरी पहचान सत्यापित करने के लिए मेरे पहचान दस्तावेज़ और मेरे चेहरे की तस्वीरों का उपयोग किया जाए, जिसमें मेरे चेहरे का मेरे दस्तावेज़ की तस्वीर से बायोमेट्रिक मिलान भी शामिल है।',
  es: 'Acepto que se traten mi documento de identidad e imágenes de mi rostro para verificar mi identidad, incluida una comparación biométrica de mi rostro con la foto de mi documento.',
  fr: "J'accepte que ma pièce d'identité et des images de mon visage soient traitées pour vérifier mon identité, y compris une comparaison biométrique de mon visage avec la photo de mon document.",
  de: 'Ich willige ein, dass mein Ausweisdokument und Bilder meines Gesichts verarbeitet werden, um meine Identität zu bestätigen, einschließlich eines biometrischen Vergleichs meines Gesichts mit dem Foto auf meinem Dokument.',
  pt: 'Aceito que o meu documento de identidade e imagens do meu rosto sejam tratados para verificar a minha identidade, incluindo uma comparação biométrica do meu rosto com a foto do meu documento.',
  ar: 'أوافق على معالجة وثيقة هويتي وصور وجهي للتحقق من هويتي، بما في ذلك مقارنة وجهي بالصورة التي في وثيقتي مقارنةً بيومترية.',
}

const steps = z
  .strictObject({
    consent: z
      .strictObject({
        enabled: z.boolean().default(true),
        version: z.string().min(1).max(64).default('1'),
        text: z.record(z.string().min(2).max(16), z.string().min(1).max(20_000)).default(defaultConsentText),
        privacy_url: storedUrl.nullable().default(null),
      })
      .prefault({}),
    email: z
      .strictObject({
        enabled: z.boolean().default(false),
        required: z.boolean().default(true),
        allow_disposable: z.boolean().default(true),
      })
      .prefault({}),
    document: z
      .strictObject({
        enabled: z.boolean().default(true),
        allowed_types: z.array(documentType).default([]),
        allowed_countries: z.array(alpha3).nullable().default(null),
        require_back: z.union([z.literal('auto'), z.boolean()]).default('auto'),
        allow_upload: z.boolean().default(true),
        max_attempts: z.int().min(1).max(10).default(3),
        expiring_soon_days: z.int().min(0).max(3650).default(0),
      })
      .prefault({}),
    liveness: z
      .strictObject({
        enabled: z.boolean().default(true),
        mode: z.enum(['passive', 'active']).default('passive'),
        max_attempts: z.int().min(1).max(10).default(3),
        pass: unit.default(0.8),
        review: unit.default(0.5),
      })
      .prefault({}),
    face_match: z
      .strictObject({
        enabled: z.boolean().default(true),
        threshold: unit.default(0.363),
        review_below: unit.default(0.45),
      })
      .prefault({}),
    aml: z
      .strictObject({
        enabled: z.boolean().default(true),
        lists: z.array(z.string().max(64)).nullable().default(null),
        monitor: z.boolean().default(false),
      })
      .prefault({}),
    age: z
      .strictObject({
        enabled: z.boolean().default(false),
        minimum: z.int().min(0).max(150).default(18),
      })
      .prefault({}),
    duplicate: z
      .strictObject({
        enabled: z.boolean().default(true),
        document_action: action.default('review'),
        face_action: action.default('review'),
        face_threshold: unit.default(0.5),
      })
      .prefault({}),
    ip: z
      .strictObject({
        enabled: z.boolean().default(true),
        country_mismatch_action: action.default('none'),
        anonymizer_action: action.default('review'),
      })
      .prefault({}),
  })
  .prefault({})

export const workflowConfig = z
  .strictObject({
    steps,
    decision: z.strictObject({ auto_decline: z.boolean().default(false) }).prefault({}),
    redirect_url: storedUrl.nullable().default(null),
    review_threshold: unit.default(0.82),
    abandon_after_minutes: z
      .int()
      .min(1)
      .max(60 * 24 * 30)
      .default(1440),
    locales: z.array(z.string().min(2).max(16)).min(1).default(['en']),
    handoff: z.strictObject({ enabled: z.boolean().default(true) }).prefault({}),
  })
  .superRefine((config, context) => {
    const { consent, liveness, face_match, document } = config.steps
    // Biometric processing without explicit consent is unlawful in most jurisdictions where this is deployed.
    if (!consent.enabled && (liveness.enabled || face_match.enabled)) {
      context.addIssue({
        code: 'custom',
        path: ['steps', 'consent', 'enabled'],
        message: 'must be true when liveness or face_match is enabled',
      })
    }
    if (liveness.review > liveness.pass) {
      context.addIssue({
        code: 'custom',
        path: ['steps', 'liveness', 'review'],
        message: 'must not exceed steps.liveness.pass',
      })
    }
    if (face_match.review_below < face_match.threshold) {
      context.addIssue({
        code: 'custom',
        path: ['steps', 'face_match', 'review_below'],
        message: 'must not be below steps.face_match.threshold',
      })
    }
    if (face_match.enabled && !(document.enabled && liveness.enabled)) {
      context.addIssue({
        code: 'custom',
        path: ['steps', 'face_match', 'enabled'],
        message: 'needs the document and the liveness step',
      })
    }
  })

/** A config as a user submits it. */
export const submittedWorkflowConfig = workflowConfig.superRefine((config, context) => {
  const urls = [
    { path: ['redirect_url'], url: config.redirect_url },
    { path: ['steps', 'consent', 'privacy_url'], url: config.steps.consent.privacy_url },
  ]
  for (const { path, url } of urls) {
    const problem = url === null ? undefined : httpUrl.safeParse(url).error?.issues[0]
    if (problem) context.addIssue({ code: 'custom', path, message: problem.message })
  }
})
export type WorkflowConfig = z.output<typeof workflowConfig>
export type WorkflowConfigInput = z.input<typeof workflowConfig>

/** The config with all defaults. */
export const defaultWorkflowConfig = (): WorkflowConfig => workflowConfig.parse({})

export const workflow = z.object({
  id: workflowId,
  name: z.string(),
  is_default: z.boolean(),
  version: z.int().min(1),
  created_at: timestamp,
  updated_at: timestamp,
  config: workflowConfig,
})
export type Workflow = z.output<typeof workflow>

/** The check kinds that a session with this config must have when it is decided. */
export const enabledChecks = (config: WorkflowConfig) =>
  checkKinds.filter((kind) => config.steps[kind].enabled)

/** The steps that a person completes, in order. */
export const flowSteps = ['consent', 'email', 'document', 'liveness'] as const
export type FlowStep = (typeof flowSteps)[number]
export const enabledSteps = (config: WorkflowConfig): FlowStep[] =>
  flowSteps.filter((step) => config.steps[step].enabled)
