/** Gives a file to the browser, which keeps it under this name where its reader keeps such. */
export function downloadFile(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The browser has taken the file when the press is over.
  setTimeout(() => URL.revokeObjectURL(link.href));
}
