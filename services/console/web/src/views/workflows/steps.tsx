import type { ReactNode } from 'react'
import { useFormContext } from 'react-hook-form'
import { documentTypes } from '../../lib/document-types.ts'
import { Card } from '../../ui/page.tsx'
import styles from './editor.module.css'
import { ActionChoice, Choice, CodeList, NumberSetting, Setting, Switch, Threshold } from './fields.tsx'
import type { FormInput } from './form.ts'

/** A step with its switch; its settings are hidden while it is off. */
function Step({ name, title, children }: { name: keyof Steps; title: string; children: ReactNode }) {
  const { watch } = useFormContext<FormInput>()
  const enabled = watch(`config.steps.${name}.enabled`)
  return (
    <Card title={title}>
      <Switch name={`config.steps.${name}.enabled`} label="On" />
      {enabled && <div className={styles.fields}>{children}</div>}
    </Card>
  )
}
type Steps = NonNullable<FormInput['config']['steps']>

export const StepSettings = ({ consent }: { consent: ReactNode }) => (
  <>
    <h2 className={styles.group}>What the person is asked</h2>
    <Step name="consent" title="Consent">
      <Setting name="config.steps.consent.version" label="Version of the text" />
      <Setting
        name="config.steps.consent.privacy_url"
        label="Privacy notice"
        hint="Address of a page."
        nullable
      />
      {consent}
    </Step>
    <Step name="email" title="E-mail">
      <Switch name="config.steps.email.required" label="Required" />
      <Switch name="config.steps.email.allow_disposable" label="Allow disposable addresses" />
    </Step>
    <Step name="document" title="Document">
      <CodeList
        name="config.steps.document.allowed_types"
        label="Allowed types"
        hint={`Separated by commas; empty: all. ${documentTypes.join(', ')}`}
      />
      <CodeList
        name="config.steps.document.allowed_countries"
        label="Allowed issuing states"
        hint="Three letters each, such as DEU, IND; empty: all."
        upper
        emptyIsNull
      />
      <Choice
        name="config.steps.document.require_back"
        label="Back side"
        options={[
          ['auto', 'Where the document has one'],
          ['true', 'Always'],
          ['false', 'Never'],
        ]}
        setValueAs={(value) => (value === 'true' ? true : value === 'false' ? false : value)}
      />
      <Switch name="config.steps.document.allow_upload" label="Allow to upload a picture" />
      <NumberSetting name="config.steps.document.max_attempts" label="Attempts" min={1} max={10} />
      <NumberSetting
        name="config.steps.document.expiring_soon_days"
        label="Warn this many days before expiry"
        min={0}
        max={3650}
      />
    </Step>
    <Step name="liveness" title="Liveness">
      <Choice
        name="config.steps.liveness.mode"
        label="Mode"
        options={[
          ['passive', 'Passive: a few pictures'],
          ['active', 'Active: turn the head as asked'],
        ]}
      />
      <NumberSetting name="config.steps.liveness.max_attempts" label="Attempts" min={1} max={10} />
      <Threshold name="config.steps.liveness.pass" label="Passes from" />
      <Threshold name="config.steps.liveness.review" label="Review from" hint="Below it fails." />
    </Step>
    <h2 className={styles.group}>What is checked afterwards</h2>
    <Step name="face_match" title="Face match">
      <Threshold
        name="config.steps.face_match.threshold"
        label="Same person from"
        hint="Cosine similarity of the two faces."
      />
      <Threshold name="config.steps.face_match.review_below" label="Review below" />
    </Step>
    <Step name="aml" title="Sanctions (AML)">
      <CodeList
        name="config.steps.aml.lists"
        label="Lists"
        hint="Separated by commas, such as un_sc, eu_fsf; empty: all that are loaded."
        emptyIsNull
      />
      <Threshold name="config.review_threshold" label="Name score from which a match counts" />
      <Switch
        name="config.steps.aml.monitor"
        label="Keep watching"
        hint="An approved session comes back to review when a later list names the person."
      />
    </Step>
    <Step name="age" title="Age">
      <NumberSetting name="config.steps.age.minimum" label="Minimum age" min={0} max={150} />
    </Step>
    <Step name="duplicate" title="Duplicates">
      <ActionChoice name="config.steps.duplicate.document_action" label="Same document seen before" />
      <ActionChoice name="config.steps.duplicate.face_action" label="Same face seen before" />
      <Threshold name="config.steps.duplicate.face_threshold" label="Same face from" />
    </Step>
    <Step name="ip" title="IP address">
      <ActionChoice
        name="config.steps.ip.country_mismatch_action"
        label="Country differs from the document's"
      />
      <ActionChoice name="config.steps.ip.anonymizer_action" label="Anonymising network" />
    </Step>
  </>
)

export const DecisionSettings = () => (
  <>
    <h2 className={styles.group}>Decision and flow</h2>
    <Card title="Decision and flow">
      <div className={styles.fields}>
        <Switch
          name="config.decision.auto_decline"
          label="Decline by itself when a check fails"
          hint="Off: a person decides. Sanctions matches never decline by themselves."
        />
        <Switch name="config.handoff.enabled" label="Let people go on with their phone" />
        <NumberSetting
          name="config.abandon_after_minutes"
          label="Abandoned after (minutes without a step)"
          min={1}
          max={43_200}
        />
        <CodeList
          name="config.locales"
          label="Languages"
          hint="Separated by commas; the first is the default."
        />
        <Setting
          name="config.redirect_url"
          label="Return address"
          hint="Where people go at the end, unless the session names another."
          nullable
        />
      </div>
    </Card>
  </>
)
