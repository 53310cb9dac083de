// The plain page: one form a step, file inputs instead of a camera stream. The server says where the person stands.
const base = location.pathname.replace(/\/$/, '')
const step = document.getElementById('step')
const title = document.getElementById('title')
const message = document.getElementById('message')

async function call(path, init = {}) {
  const response = await fetch(`${base}${path}`, { cache: 'no-store', ...init })
  const body = response.status === 204 ? null : await response.json()
  if (!response.ok) throw new Error(body?.error?.message ?? 'Something went wrong. Please try again.')
  return body
}

const post = (path, body = {}) =>
  call(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

const postForm = (path, form) => call(path, { method: 'POST', body: form })

function element(name, properties = {}, ...children) {
  const node = Object.assign(document.createElement(name), properties)
  node.append(...children)
  return node
}

function field(label, input) {
  input.id = `field-${input.name}`
  return [element('label', { htmlFor: input.id, textContent: label }), input]
}

function choice(name, options) {
  return element(
    'select',
    { name, required: true },
    ...options.map(([value, text]) => element('option', { value, textContent: text })),
  )
}

/** Shows one form; what its submission answers decides what comes next. */
function show(heading, children, onSubmit, button) {
  title.textContent = heading
  const form = element('form', {}, ...children.flat(), element('button', { textContent: button }))
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const send = form.querySelector('button')
    send.disabled = true
    say('Please wait …')
    try {
      await onSubmit(form)
    } catch (error) {
      say(error.message)
    } finally {
      send.disabled = false
    }
  })
  step.replaceChildren(form)
  title.focus()
}

const say = (text) => {
  message.textContent = text
}

const photo = (name, facing, multiple = false) => {
  const input = element('input', {
    type: 'file',
    name,
    accept: 'image/jpeg,image/png,image/webp',
    required: true,
    multiple,
  })
  input.setAttribute('capture', facing)
  return input
}

const documentNames = [
  ['passport', 'Passport'],
  ['identity_card', 'Identity card'],
  ['driving_licence', 'Driving licence'],
  ['residence_permit', 'Residence permit'],
  ['visa', 'Visa'],
  ['aadhaar', 'Aadhaar'],
  ['pan_card', 'PAN card'],
  ['voter_id', 'Voter ID'],
]

const steps = {
  consent({ options }, state) {
    const refuse = element('button', {
      type: 'button',
      className: 'secondary',
      textContent: 'I do not agree',
    })
    refuse.addEventListener('click', () =>
      give(false).catch((error) => {
        say(error.message)
      }),
    )
    const give = async (accepted) =>
      next(await post('/consent', { accepted, version: options.version, locale: state.locale }))
    const text = element('p', { className: 'text', textContent: options.text })
    const privacy = options.privacy_url
      ? [element('a', { href: options.privacy_url, textContent: 'Privacy policy', rel: 'noreferrer' })]
      : []
    show('Your consent', [text, ...privacy, refuse], () => give(true), 'I agree')
  },

  email({ options }) {
    const email = element('input', {
      type: 'email',
      name: 'email',
      required: true,
      autocomplete: 'email',
      value: options.prefill ?? '',
    })
    show(
      'Your e-mail address',
      field('E-mail address', email),
      async () => {
        const answer = await post('/email', { email: email.value })
        say(answer.sent ? 'We sent you a code.' : `Please wait ${answer.resend_in} seconds.`)
        enterCode()
      },
      'Send a code',
    )
  },

  document({ options }) {
    const allowed =
      options.allowed_types.length > 0 ? options.allowed_types : documentNames.map(([value]) => value)
    const side = options.needs_back ? 'back' : 'front'
    const type = choice(
      'document_type',
      documentNames.filter(([value]) => allowed.includes(value)),
    )
    show(
      side === 'back' ? 'The back of your document' : 'Your document',
      [...field('Document', type), ...field('Photo', photo('image', 'environment'))],
      async (form) => {
        const body = new FormData()
        body.set('side', side)
        body.set('document_type', type.value)
        body.set('capture_method', 'upload')
        body.set('image', form.elements.image.files[0])
        await tell(await postForm('/document', body))
      },
      'Send the photo',
    )
  },

  liveness() {
    show(
      'A photo of your face',
      field('Photo of yourself', photo('frames', 'user', true)),
      async (form) => {
        const challenge = await call('/liveness')
        const body = new FormData()
        body.set('challenge_id', challenge.challenge_id)
        for (const file of form.elements.frames.files) body.append('frames', file)
        await tell(await postForm('/liveness', body))
      },
      'Send the photo',
    )
  },
}

function enterCode() {
  const code = element('input', {
    name: 'code',
    required: true,
    inputMode: 'numeric',
    autocomplete: 'one-time-code',
    pattern: '[0-9]{6}',
  })
  show(
    'Enter the code',
    field('Code of six digits', code),
    async () => {
      const answer = await post('/email', { code: code.value.trim() })
      if (answer.verified) return next(await call('/state'))
      say(`That was not the code. Tries left: ${answer.attempts_remaining}.`)
      if (answer.attempts_remaining === 0) next(await call('/state'))
    },
    'Check the code',
  )
}

/** After an upload: what to do better, or on to what comes next. */
async function tell(answer) {
  const issue = answer.issues[0]
  await next(await call('/state'))
  if (issue)
    say(answer.accepted ? issue.message : `${issue.message} Tries left: ${answer.attempts_remaining}.`)
  else say('')
}

function end(state) {
  const texts = {
    processing: 'Thank you. Your details are being checked; you can close this page.',
    approved: 'Thank you. You are verified.',
    in_review: 'Thank you. A person will look at your details.',
    declined: 'This verification has ended.',
    expired: 'This link has expired. Ask for a new one where you got it.',
    abandoned: 'This link has expired. Ask for a new one where you got it.',
  }
  title.textContent = texts[state.status] ?? 'This verification has ended.'
  say('')
  step.replaceChildren()
}

async function next(state) {
  document.getElementById('app-name').textContent = state.app.name
  document.documentElement.lang = state.locale
  if (state.status !== 'not_started' && state.status !== 'in_progress') return end(state)
  const current = state.steps.find((item) => item.key === state.current_step)
  if (current) return steps[current.key](current, state)
  show('Ready', [element('p', { textContent: 'Everything is here. Send it to finish.' })], submit, 'Finish')
}

async function submit() {
  const { redirect_url } = await post('/submit')
  if (redirect_url) location.assign(redirect_url)
  else end(await call('/state'))
}

function askForHandoffCode() {
  const code = element('input', { name: 'code', required: true, inputMode: 'numeric', pattern: '[0-9]{6}' })
  show(
    'Continue on this device',
    field('Code shown on the other device', code),
    async () => next(await post('/start', { code: code.value.trim() })),
    'Continue',
  )
}

call('/state').then(next, (error) => {
  if (error.message.startsWith('Confirm the code')) askForHandoffCode()
  else say(error.message)
})
