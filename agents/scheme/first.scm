;;; Plays the first legal action. Guile 3 with guile-json (Debian: guile-json).
;;;
;;;     guile first.scm

(use-modules (ice-9 match) (ice-9 rdelim) (json))

;; Think here. Each entry of legal is a whole answer, with the words that must be said; view is the position.
(define (choose ask)
  (vector-ref (assoc-ref ask "legal") 0))

(define (answer message)
  (scm->json message)
  (newline)
  (force-output)) ; the arena waits for each line

(define (ready hello)
  (let ((protocol (assoc-ref hello "protocol")))
    (unless (string-prefix? "maumau/1." (string-append protocol "."))
      (format (current-error-port) "first.scm speaks maumau/1 and the arena ~a~%" protocol)
      (exit 2))
    (answer '((type . "ready") (protocol . "maumau/1") (name . "first.scm") (games . 64)))))

(define (act ask)
  (answer `((type . "act") ,(assoc "game" ask) ,(assoc "id" ask) ,@(choose ask))))

(define (handle message line)
  (match (assoc-ref message "type")
    ("hello" (ready message))
    ("ask" (act message))
    ("fault" (write-line line (current-error-port)))
    ("bye" (exit 0))
    (_ #f))) ; it says nothing to this bot, or is of a later version

(for-each (lambda (port) (set-port-encoding! port "UTF-8"))
          (list (current-input-port) (current-output-port)))

(let loop ((line (read-line)))
  (unless (eof-object? line)
    (handle (json-string->scm line) line)
    (loop (read-line))))
