#error "the library asks its host for fmt"
