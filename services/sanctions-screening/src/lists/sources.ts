import { type ListId, listIds } from '../domain/entity.ts'

export type ListSource = {
  list: ListId
  /** Tried in this order until one returns a complete list. The format with the most data comes first. */
  urls: readonly string[]
  /** Hosts that the publisher redirects to. */
  redirectHosts: readonly string[]
  maxBytes: number
}

const megabytes = 1024 * 1024
const ofac = 'https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports'
const ofacStorage = ['wc2h-sls-prod-public-published.s3.us-gov-west-1.amazonaws.com']

/** The official URLs of each list. Size limits are about four times the current size. */
const official: Readonly<Record<ListId, Omit<ListSource, 'list'>>> = {
  us_ofac_sdn: {
    urls: [`${ofac}/SDN_ADVANCED.XML`, `${ofac}/SDN.XML`],
    redirectHosts: ofacStorage,
    maxBytes: 480 * megabytes,
  },
  us_ofac_cons: {
    urls: [`${ofac}/CONS_ADVANCED.XML`, `${ofac}/CONSOLIDATED.XML`],
    redirectHosts: ofacStorage,
    maxBytes: 64 * megabytes,
  },
  un_sc: {
    urls: ['https://scsanctions.un.org/resources/xml/en/consolidated.xml'],
    redirectHosts: ['unsolprodfiles.blob.core.windows.net'],
    maxBytes: 32 * megabytes,
  },
  eu_fsf: {
    // The publisher documents this token for public use.
    urls: [
      'https://webgate.ec.europa.eu/fsd/fsf/public/files/xmlFullSanctionsList_1_1/content?token=dG9rZW4tMjAxNw',
      'https://webgate.ec.europa.eu/fsd/fsf/public/files/csvFullSanctionsList_1_1/content?token=dG9rZW4tMjAxNw',
    ],
    redirectHosts: [],
    maxBytes: 128 * megabytes,
  },
  uk_sanctions: {
    urls: [
      'https://sanctionslist.fcdo.gov.uk/docs/UK-Sanctions-List.xml',
      'https://sanctionslist.fcdo.gov.uk/docs/UK-Sanctions-List.csv',
    ],
    redirectHosts: [],
    maxBytes: 128 * megabytes,
  },
  ch_seco: {
    urls: [
      'https://www.sesam.search.admin.ch/sesam-search-web/pages/downloadXmlGesamtliste.xhtml?lang=en&action=downloadXmlGesamtlisteAction',
    ],
    redirectHosts: [],
    maxBytes: 256 * megabytes,
  },
  ca_sema: {
    urls: [
      'https://www.international.gc.ca/world-monde/assets/office_docs/international_relations-relations_internationales/sanctions/sema-lmes.xml',
    ],
    redirectHosts: [],
    maxBytes: 16 * megabytes,
  },
  au_dfat: {
    urls: ['https://www.dfat.gov.au/sites/default/files/Australian_Sanctions_Consolidated_List.xlsx'],
    redirectHosts: [],
    maxBytes: 16 * megabytes,
  },
}

/**
 * The sources of the selected lists (all when none is selected). Mirrors replace the official URLs of their list.
 * @param mirrors `list=https://...`
 * @throws Error for a mirror of an unknown list
 */
export function listSources(options: {
  lists: readonly ListId[]
  mirrors: readonly string[]
  redirectHosts: readonly string[]
}): ListSource[] {
  const mirrored = new Map<ListId, string[]>()
  for (const mirror of options.mirrors) {
    const i = mirror.indexOf('=')
    const list = listIds.find((id) => id === mirror.slice(0, i))
    if (list === undefined)
      throw new Error(
        `SANCTIONS_SOURCES: unknown list '${mirror.slice(0, Math.max(i, 0))}', must be one of ${listIds.join(', ')}`,
      )
    mirrored.set(list, [...(mirrored.get(list) ?? []), mirror.slice(i + 1)])
  }
  const chosen = options.lists.length === 0 ? listIds : options.lists
  return chosen.map((list) => {
    const source = official[list]
    return {
      ...source,
      list,
      urls: mirrored.get(list) ?? source.urls,
      redirectHosts: [...source.redirectHosts, ...options.redirectHosts],
    }
  })
}
