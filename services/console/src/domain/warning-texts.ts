import type { WarningCode, WarningText } from '@kyc/common'

const text = (title: string, explanation: string, advice: string): WarningText => ({
  title,
  explanation,
  advice,
})

/** What each warning means to a reviewer, and what to look at. */
export const warningTexts: Readonly<Record<WarningCode, WarningText>> = {
  consent_version_outdated: text(
    'Older consent text',
    'The person accepted a version of the consent text that has since been replaced.',
    'See whether the change matters for what was processed.',
  ),
  email_disposable: text(
    'Disposable e-mail address',
    'The address belongs to a service that gives out addresses for minutes.',
    'Ask for a lasting address if you must reach the person later.',
  ),
  email_mismatch_contact: text(
    'Another e-mail address',
    'The verified address is not the one your system gave for this person.',
    'Compare both addresses; people often have several.',
  ),
  email_code_attempts_exceeded: text(
    'E-mail not verified',
    'The person did not enter the code that was sent.',
    'Treat the address as unproven.',
  ),
  email_undeliverable: text(
    'E-mail could not be delivered',
    'The receiving server refused the message with the code.',
    'Look for a typing mistake in the address.',
  ),
  document_expired: text(
    'Document has expired',
    'The expiry date on the document is in the past.',
    'Check the date on the picture; ask for a valid document.',
  ),
  document_expiring_soon: text(
    'Document expires soon',
    'It expires within the days that the workflow sets.',
    'Decide whether the remaining time is enough.',
  ),
  document_type_not_allowed: text(
    'Type not accepted',
    'The workflow does not accept this type of document.',
    'Ask for another document.',
  ),
  document_country_not_allowed: text(
    'Country not accepted',
    'The workflow does not accept documents of this issuing country.',
    'Check the country on the picture; ask for another document.',
  ),
  document_back_missing: text(
    'Back side missing',
    'The workflow or the document needs its back, which was not given.',
    'Ask for another try.',
  ),
  document_sides_mismatch: text(
    'Sides of different documents',
    'Number or birth date of front and back, each proven by its own check digits, differ.',
    'Compare both pictures; two documents may have been mixed.',
  ),
  mrz_not_found: text(
    'No machine-readable zone',
    'This type of document carries two or three lines of code, and none was found.',
    'Look whether the lines are covered, cut off or missing.',
  ),
  mrz_checksum_failed: text(
    'Check digits do not hold',
    'Characters of the machine-readable zone contradict its check digits: misread, damaged or altered.',
    'Read the lines on the picture and compare them with the print.',
  ),
  mrz_visual_mismatch: text(
    'Zone and print differ',
    'A field printed on the document is not what its machine-readable zone says.',
    'Compare the field on the picture; a difference is a common mark of forgery, or a misread print.',
  ),
  mrz_corrected: text(
    'Zone was corrected',
    'Characters that look alike were put right where the check digits then held.',
    'Nothing to do, unless other warnings point to the zone.',
  ),
  barcode_not_found: text(
    'No barcode',
    'This document usually carries a barcode, and none was read.',
    'Look whether the back side is complete.',
  ),
  barcode_invalid: text(
    'Barcode not understood',
    'A barcode was found whose content does not follow its standard.',
    'Compare the print with other documents of the same kind.',
  ),
  portrait_not_found: text(
    'No portrait',
    'No face was found on the document.',
    'Look whether the portrait is covered or cut off.',
  ),
  field_missing: text(
    'Field could not be read',
    'A field that the decision needs was not read with certainty.',
    'Read it on the picture.',
  ),
  image_blurry: text(
    'Blurred picture',
    'Fine print is not sharp.',
    'Zoom in; ask for another try when you cannot read it.',
  ),
  image_glare: text('Reflection', 'Light covers part of the document.', 'Look what the reflection hides.'),
  image_dark: text('Dark picture', 'There was too little light.', 'Raise the brightness.'),
  image_cropped: text(
    'Cut off at the edge',
    'The document is not whole in the picture.',
    'Look what is missing; a covered edge can hide a change.',
  ),
  image_low_resolution: text(
    'Small picture',
    'The picture has too few pixels for fine print.',
    'Ask for another try when you cannot read it.',
  ),
  screen_capture_suspected: text(
    'Perhaps a screen or a copy',
    'Patterns in the picture are those of a display or a print.',
    'Look for pixels, moiré, paper edges; ask for the original.',
  ),
  tampering_suspected: text(
    'Perhaps altered',
    'Parts of the picture do not fit the rest.',
    'Look closely at portrait, name and dates.',
  ),
  secure_qr_signature_invalid: text(
    'Signature of the code is wrong',
    'The signed QR code was changed, or not made by the issuer.',
    'Do not rely on what the code says.',
  ),
  secure_qr_no_certificates: text(
    'Code could not be verified',
    'No issuer certificate is installed, so the signature of the QR code says nothing.',
    'Ask an administrator to install the certificates.',
  ),
  uploaded_not_captured: text(
    'Uploaded file',
    'The picture was uploaded instead of taken in the flow.',
    'Look more closely for signs of editing.',
  ),
  no_face: text('No face', 'A frame of the selfie shows no face.', 'Look at the frames.'),
  multiple_faces: text(
    'Several faces',
    'A frame shows more than one person.',
    'Look whether somebody helped or forced the person.',
  ),
  face_low_quality: text(
    'Face hard to see',
    'The face is small, blurred, turned away or covered.',
    'Look at the frames; similarity is less certain.',
  ),
  face_dark: text('Face too dark', 'There was too little light on the face.', 'Similarity is less certain.'),
  face_bright: text('Face too bright', 'Light washes the face out.', 'Similarity is less certain.'),
  liveness_low_score: text(
    'Liveness not certain',
    'The pictures are neither clearly those of a live person nor clearly not.',
    'Look for edges, screens, masks and unnatural skin.',
  ),
  spoof_suspected: text(
    'Perhaps not a live person',
    'The pictures look like a photo, a screen or a mask.',
    'Decline, unless the frames plainly show a live person.',
  ),
  challenge_failed: text(
    'Challenge not answered',
    'The frames do not show the movements that were asked for.',
    'Look at the frames: unable, or another recording?',
  ),
  challenge_expired: text(
    'Challenge too late',
    'The movements came after the time, or a second time.',
    'Ask for another try.',
  ),
  face_mismatch: text(
    'Another face',
    'The face is not that of the document: the similarity is below the threshold.',
    'Compare both pictures; age and glasses matter less than the shape of nose, ears and eyes.',
  ),
  face_match_borderline: text(
    'Faces alike, but not clearly',
    'The similarity is just above the threshold.',
    'Compare both pictures.',
  ),
  document_face_missing: text(
    'Nothing to compare with',
    'No portrait was found on the document.',
    'Compare by eye if the picture shows one.',
  ),
  face_models_unavailable: text(
    'Faces were not compared',
    'The face models are not installed.',
    'Compare by eye, and tell an administrator.',
  ),
  aml_potential_match: text(
    'Listed entity of a like name',
    'A name on a sanctions list is like the one on the document.',
    'Compare birth date, nationality and aliases, and give each match a verdict.',
  ),
  lists_not_loaded: text(
    'Not screened',
    'No sanctions list was loaded at the time.',
    'Screen again when the lists are there.',
  ),
  list_stale: text(
    'List is old',
    'A list could not be refreshed in time.',
    'Screen again when it is fresh, if that matters to you.',
  ),
  list_load_failed: text(
    'List missing',
    'One of the lists that the workflow asks for was not loaded.',
    'Screen again when it is there.',
  ),
  insufficient_identity_data: text(
    'No name to screen',
    'No name could be read from the document.',
    'Read it yourself, or ask for another try.',
  ),
  single_token_name: text(
    'Name of one word',
    'A single word is like many names: matches and silence both say less.',
    'Look for the full name.',
  ),
  age_below_minimum: text(
    'Too young',
    'By the birth date the person is younger than the workflow requires.',
    'Check the birth date on the picture.',
  ),
  age_not_determined: text('Age not known', 'No birth date could be read.', 'Read it on the picture.'),
  duplicate_document: text(
    'Document seen before',
    'The same document was used in another session of your app.',
    'Open the other session: a returning person, or two accounts?',
  ),
  duplicate_face: text(
    'Face seen before',
    'The same face was seen in another session of your app.',
    'Open the other session and compare names.',
  ),
  possible_duplicate_face: text(
    'Similar face seen before',
    'A face in another session is alike, but below the threshold.',
    'Compare both sessions; relatives look alike.',
  ),
  document_blocklisted: text('Blocked document', 'You put it on the block list.', 'See the reason there.'),
  face_blocklisted: text('Blocked face', 'You put it on the block list.', 'See the reason there.'),
  ip_private: text(
    'Internal address',
    'The service sees an address of its own network: a proxy hides the person’s.',
    'Ask an administrator to name the proxies.',
  ),
  ip_country_unknown: text('Country unknown', 'No installed database knows the address.', 'Nothing to do.'),
  ip_country_mismatch: text(
    'Address in another country',
    'The address is not in the country that issued the document.',
    'Common for travellers and expatriates; weigh it with the rest.',
  ),
  ip_anonymizer: text(
    'Anonymising service',
    'The address belongs to a VPN, proxy or Tor exit.',
    'Weigh it with the rest.',
  ),
  ip_hosting: text(
    'Address of a hosting provider',
    'People rarely come from data centres; programs do.',
    'Weigh it with the rest.',
  ),
  ip_reused: text(
    'Address used often',
    'Several sessions came from this address within a day.',
    'Look at the other sessions: a family, an office, or one person many times?',
  ),
  ip_changed: text(
    'Address has changed',
    'The person came from another address before.',
    'Common on phones; weigh it with the rest.',
  ),
}

/** Skips unknown codes. */
export function textsOf(codes: readonly string[]): Record<string, WarningText> {
  const known: Readonly<Record<string, WarningText>> = warningTexts
  return Object.fromEntries(codes.flatMap((code) => (known[code] ? [[code, known[code]]] : [])))
}
