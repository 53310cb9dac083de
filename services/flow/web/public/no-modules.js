// Runs only in browsers without module support; shows the page's requirements.
document.getElementById('unsupported').removeAttribute('hidden')
