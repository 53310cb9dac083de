// Renders the API reference from the OpenAPI document of this service; nothing is loaded from another host.
window.addEventListener('DOMContentLoaded', () => {
  window.SwaggerUIBundle({
    url: '/openapi.json',
    dom_id: '#reference',
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    filter: true,
    displayRequestDuration: true,
    // An entered key is discarded with the page.
    persistAuthorization: false,
    validatorUrl: null,
  })
})
