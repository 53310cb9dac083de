// Runs only where modules do not: says what this page needs.
document.getElementById('unsupported').removeAttribute('hidden')
