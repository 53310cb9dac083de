// Draws the reference from the document that this service serves; nothing is fetched from elsewhere.
window.addEventListener('DOMContentLoaded', () => {
  window.SwaggerUIBundle({
    url: '/openapi.json',
    dom_id: '#reference',
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    filter: true,
    displayRequestDuration: true,
    // A key that was typed in is forgotten with the page.
    persistAuthorization: false,
    validatorUrl: null,
  })
})
